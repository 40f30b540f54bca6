/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's vDSO entries, found by our own ELF lookup from AT_SYSINFO_EHDR: no libc symbol takes part, so nothing
 * that a preload replaces can stand between. Entries that the kernel does not have are NULL; callers fall back.
 */
#ifndef XT_BASE_VDSO_H
#define XT_BASE_VDSO_H

#include <sys/time.h>
#include <time.h>

struct xt_vdso {
	int (*clock_gettime)(clockid_t, struct timespec *); /* i686: the time_t-sized entry, not the 64-bit one */
	int (*clock_getres)(clockid_t, struct timespec *);
	int (*gettimeofday)(struct timeval *, void *);
	time_t (*time)(time_t *);
	int (*getcpu)(unsigned *, unsigned *, void *);
};

/* Fills out; all NULL when there is no vDSO. No allocation, no libc calls but getauxval: safe in a constructor. */
void xt_vdso_lookup(struct xt_vdso *out);

/* The address of the vDSO's ELF header, or NULL; and of one named symbol, or NULL. */
const void *xt_vdso_base(void);
void *xt_vdso_symbol(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts about this machine's clock calls, found by trying and never by name: whether user space can write the page
 * that the vDSO reads, where libc's own time() leads, and how many system calls a clock call really makes. Everything
 * risky happens in a child process.
 */
#ifndef XT_LAB_PROBE_H
#define XT_LAB_PROBE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct xt_vvar {
	bool found;    /* there is a [vvar] mapping */
	bool readonly; /* and no such mapping has write permission */
	bool killed;   /* a child that wrote to it died of SIGSEGV */
};
/* Looks into /proc/self/maps and lets a child try. -1 when the maps cannot be read or no child started. */
int xt_lab_vvar(struct xt_vvar *out, struct xt_err *err);

enum xt_leads_to {
	XT_LEADS_LIBC,      /* libc's own code */
	XT_LEADS_VDSO_TIME, /* the vDSO's time entry */
	XT_LEADS_VDSO,      /* another place in the vDSO */
	XT_LEADS_ELSEWHERE,
};

enum xt_second {
	XT_SECOND_UNKNOWN, /* no boundary of the second was seen */
	XT_SECOND_COARSE,  /* behind the fine clock just after a boundary */
	XT_SECOND_FINE,
};

struct xt_libc_time {
	enum xt_leads_to leads_to;
	double syscalls_per_call; /* time, gettimeofday and clock_gettime entries; NAN where they cannot be counted */
	enum xt_second second;
	unsigned boundaries; /* looked at */
	uint64_t max_lag_ns; /* behind the fine clock; 0 when fine */
};
/* libc's own time(), whatever is preloaded. Takes up to boundaries seconds. */
int xt_lab_libc_time(unsigned boundaries, struct xt_libc_time *out, struct xt_err *err);

/* System calls of the clock family (time, gettimeofday, clock_gettime, clock_getres, getcpu) that one call of fn makes,
 * from calls of them in a child in which the kernel traps those. NAN where no such trap can be set. */
double xt_lab_count_syscalls(void (*fn)(void *), void *arg, unsigned calls);

#endif

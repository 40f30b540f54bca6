/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arms: ARM = SOURCE[@CLOCKSOURCE][+ADDEDns]. Parsing and printing, without allocation, stdio or libc's clock: this
 * is compiled once, position independent, and linked into both the shim and the harness.
 */
#ifndef XT_CLOCK_ARM_H
#define XT_CLOCK_ARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XT_MAX_ARMS 16 /* 15 on the command line and the control */

/* Functions that the shim interposes, in the order of records. */
enum xt_function {
	XT_FN_TIME,
	XT_FN_GETTIMEOFDAY,
	XT_FN_CLOCK_GETTIME, /* CLOCK_REALTIME */
	XT_FN_TIMESPEC_GET,
	XT_FN_FTIME,
	XT_FN_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC) */
	XT_FUNCTIONS,
};

/* Bits of a swap set: which functions are replaced. timespec_get follows clock_gettime, ftime gettimeofday. */
enum xt_swap {
	XT_SWAP_TIME = 1 << 0,
	XT_SWAP_GETTIMEOFDAY = 1 << 1,
	XT_SWAP_CLOCK_GETTIME = 1 << 2,
	XT_SWAP_MONOTONIC = 1 << 3,
};

/* Source ids are indexes into the table of clock/source.h and travel in the control page: append only. */
enum xt_source_id {
	XT_SOURCE_LIBC,
	XT_SOURCE_GETTIMEOFDAY,
	XT_SOURCE_REALTIME,
	XT_SOURCE_COARSE,
	XT_SOURCE_VDSO_TIME,
	XT_SOURCE_SYSCALL_GETTIMEOFDAY,
	XT_SOURCE_SYSCALL_REALTIME,
	XT_SOURCE_SYSCALL_TIME,
	XT_SOURCE_SYSCALL_COARSE,
	XT_SOURCE_COHERENT,
	XT_SOURCE_CACHED,
	XT_SOURCE_TSC,
	XT_SOURCE_CONSTANT,
	XT_SOURCE_PLUGIN,
	XT_SOURCES,
};

/* What an arm is. Lives in the control page too, so fixed-size and without pointers. */
struct xt_arm {
	uint32_t source;      /* enum xt_source_id */
	uint32_t serialised;  /* 1: reads queue up across CPUs (hpet, acpi_pm) */
	uint64_t ns;          /* a hi-res read takes at least this long in total; 0: native */
	uint64_t added_ns;    /* added to whatever a read costs */
	char clocksource[16]; /* preset's name, "" when none or a plain number */
	uint32_t plugin;      /* XT_SOURCE_PLUGIN: slot in the table of opened plugins; xt_page_set_arm() fills it */
	uint32_t reserved;
};

enum xt_arm_bad {
	XT_ARM_OK,
	XT_ARM_UNKNOWN_SOURCE,
	XT_ARM_UNKNOWN_CLOCKSOURCE,
	XT_ARM_BAD_NUMBER,
	XT_ARM_TRAILING,
	XT_ARM_WHOLE_SECONDS, /* cannot stand in for gettimeofday or clock_gettime */
	XT_ARM_FROZEN_MONOTONIC,
	XT_ARM_NOT_HI_RES, /* @CLOCKSOURCE on a source that has no hi-res read at all */
	XT_ARM_BAD_PLUGIN,
};

/* Parses text of len bytes (suffixes from the right, so that a plugin's path may hold '@' or '+'). plugin, when not
 * NULL, receives the "FILE.so[:SYMBOL]" part (cap bytes). */
enum xt_arm_bad xt_arm_parse(const char *text, size_t len, struct xt_arm *out, char *plugin, size_t cap);

/* Whether this arm can serve this swap set. */
enum xt_arm_bad xt_arm_fits(const struct xt_arm *arm, unsigned swap);

/* The canonical text ("gettimeofday@hpet+400ns") into buf; returns its length, cut at cap - 1, terminated. */
size_t xt_arm_format(const struct xt_arm *arm, const char *plugin, char *buf, size_t cap);

/* What to say of each XT_ARM_* (a sentence fragment without the arm's text). */
const char *xt_arm_bad_text(enum xt_arm_bad bad);

/* "time,gettimeofday" to bits; returns -1 with *bad set to the offending word's offset. */
int xt_swap_parse(const char *text, size_t len, unsigned *out, size_t *bad);
size_t xt_swap_format(unsigned swap, char *buf, size_t cap);

#endif

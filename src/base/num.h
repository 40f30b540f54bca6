/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as people type them. Every function takes the whole text: trailing characters are an error. Errors are
 * USAGE and say what is allowed, without the option's name, which the caller adds. Independent of the locale.
 */
#ifndef XT_BASE_NUM_H
#define XT_BASE_NUM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Decimal integer, optionally with k, M or G: times 1000, 1000^2, 1000^3. */
int xt_num_count(const char *text, int64_t min, int64_t max, int64_t *out, struct xt_err *err);
/* The same with powers of 1024. */
int xt_num_bytes(const char *text, int64_t min, int64_t max, int64_t *out, struct xt_err *err);
/* Finite decimal number (no hexadecimal, inf or nan). */
int xt_num_double(const char *text, double min, double max, double *out, struct xt_err *err);
/* A duration in ns: a number, bare (times unit_ns) or with us, ms, s, m. */
int xt_num_duration(const char *text, uint64_t unit_ns, uint64_t min_ns, uint64_t max_ns, uint64_t *out,
                    struct xt_err *err);
/* on, off, true, false, yes, no, 1, 0. */
int xt_num_bool(const char *text, int *out, struct xt_err *err);

#define XT_MAX_COUNTS 256
struct xt_counts {
	size_t n;
	unsigned v[XT_MAX_COUNTS];
};
/* "4", "1,2,4", "1-5", "1,2,4-8": each 1..max, a duplicate or a falling range is an error. */
int xt_num_counts(const char *text, unsigned max, struct xt_counts *out, struct xt_err *err);

/* "5 s", "200 ms", "1.5 us": a duration for people, into buf. */
const char *xt_num_print_ns(double ns, char *buf, size_t cap);

#endif

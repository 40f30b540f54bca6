/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mails of 2007 claim, and whether a measurement bears it out: pure functions from a record and probe results
 * to the `claims` of a record. A claim that is not reproduced is a result, not a failure.
 */
#ifndef XT_REPRODUCE_CLAIMS2007_H
#define XT_REPRODUCE_CLAIMS2007_H

#include "lab/coherence.h"
#include "lab/probe.h"
#include "lab/wordsize.h"

#include <jansson.h>

/* gain, size, shape, merged: from a record of schema xtime.ab/1 (first arm against base; its points). */
void xt_claims_2007_append(json_t *claims, const json_t *ab);

/* coherent, vdso-write, glibc, 32-bit. NULL: could not be measured. */
struct xt_probes_2007 {
	const struct xt_mix *libc, *syscall_time, *coherent;
	const struct xt_vvar *vvar;
	const struct xt_libc_time *libc_time;
	const struct xt_wordsize *native, *narrow; /* this program's rows, and a 32-bit one's */
};
void xt_claims_2007_append_probes(json_t *claims, const struct xt_probes_2007 *probes);

/* The rows of both word sizes, [{bits, rows[{call, path, ns}]}], those that were measured. New reference. */
json_t *xt_word_sizes_json(const struct xt_probes_2007 *probes);

#endif

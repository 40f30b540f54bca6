/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of 2007 about coherence, the vDSO and libc.
 */
#include "reproduce/claims2007.h"

#include "record/record.h"
#include "reproduce/claim.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void mix_text(char *out, size_t cap, const char *name, const struct xt_mix *mix)
{
	if (!mix)
		snprintf(out, cap, "%s: not measured", name);
	else if (!mix->violations)
		snprintf(out, cap, "%s: 0 of %llu", name, (unsigned long long)mix->pairs);
	else
		snprintf(out, cap, "%s: %llu of %llu, up to %.1f ms", name, (unsigned long long)mix->violations,
		         (unsigned long long)mix->pairs, mix->max_lag_ms);
}

static void judge_coherent(const struct xt_probes_2007 *p, json_t *claims)
{
	struct xt_claim claim = {
		.id = "coherent",
		.claim = "mixed use of gettimeofday() and time() stays coherent through a slow path taken at most once "
			 "a "
			 "second (June mail)",
		.published = "time() is never behind an earlier gettimeofday()",
	};
	char libc[64], after[64], coherent[64];

	mix_text(libc, sizeof(libc), "libc", p->libc);
	mix_text(after, sizeof(after), "syscall-time", p->syscall_time);
	mix_text(coherent, sizeof(coherent), "coherent", p->coherent);
	snprintf(claim.measured, sizeof(claim.measured), "time() behind: %s; %s; %s; tick %.0f ms", libc, after,
	         coherent, p->libc ? p->libc->tick_ms : NAN);
	if (!p->libc || !p->syscall_time || !p->coherent || !p->libc->boundaries || !p->coherent->boundaries) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.reason, sizeof(claim.reason),
		         "not every implementation was read across a second's boundary");
	} else if (p->coherent->violations) {
		claim.verdict = XT_CLAIM_NOT;
		snprintf(claim.reason, sizeof(claim.reason), "even the coherent implementation was behind");
	} else if (!p->libc->violations && !p->syscall_time->violations) {
		claim.verdict = XT_CLAIM_REPRODUCED;
		snprintf(claim.reason, sizeof(claim.reason), "no reading of time() was behind on this kernel");
	} else {
		claim.verdict = XT_CLAIM_PARTLY;
		snprintf(claim.reason, sizeof(claim.reason),
		         "this kernel's time() returns the second of the last tick without that slow path, so it is "
		         "behind "
		         "after each second begins; with the promise kept in user space (coherent) it never is");
	}
	xt_claim_add(claims, &claim);
}

static void judge_vdso_write(const struct xt_vvar *v, json_t *claims)
{
	struct xt_claim claim = {
		.id = "vdso-write",
		.claim = "coherence cannot be kept where gettimeofday() is served from a page that user space cannot "
			 "write "
			 "(reply)",
		.published = "the vsyscall page is read-only",
	};

	if (!v || !v->found) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.measured, sizeof(claim.measured), "no [vvar] mapping found");
		snprintf(claim.reason, sizeof(claim.reason), "the vDSO's data page could not be examined");
	} else {
		snprintf(claim.measured, sizeof(claim.measured), "[vvar] is mapped %s; a child that wrote to it %s",
		         v->readonly ? "without write permission" : "writable",
		         v->killed ? "died of SIGSEGV" : "was not stopped");
		claim.verdict = v->readonly && v->killed   ? XT_CLAIM_REPRODUCED
		                : v->readonly || v->killed ? XT_CLAIM_PARTLY
		                                           : XT_CLAIM_NOT;
		snprintf(claim.reason, sizeof(claim.reason), "%s",
		         claim.verdict == XT_CLAIM_REPRODUCED
		                 ? "both hold: the vDSO cannot note that it gave out a new second"
		                 : "not both hold");
	}
	xt_claim_add(claims, &claim);
}

static void judge_glibc(const struct xt_libc_time *t, json_t *claims)
{
	static const char *const leads[] = {
		[XT_LEADS_LIBC] = "libc's own code",
		[XT_LEADS_VDSO_TIME] = "__vdso_time",
		[XT_LEADS_VDSO] = "another entry of the vDSO",
		[XT_LEADS_ELSEWHERE] = "neither libc nor the vDSO",
	};
	static const char *const seconds[] = {
		[XT_SECOND_UNKNOWN] = "unknown",
		[XT_SECOND_COARSE] = "the coarse clock's (it lags the fine one after a boundary)",
		[XT_SECOND_FINE] = "the fine clock's",
	};
	struct xt_claim claim = {
		.id = "glibc",
		.claim = "libc's time() itself calls gettimeofday() on x86-64 (reply)",
		.published = "glibc's time() is gettimeofday().tv_sec there",
	};

	if (!t) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.measured, sizeof(claim.measured), "not measured");
		snprintf(claim.reason, sizeof(claim.reason), "libc's time() could not be examined");
		xt_claim_add(claims, &claim);
		return;
	}
	if (isfinite(t->syscalls_per_call))
		snprintf(claim.measured, sizeof(claim.measured),
		         "leads to %s, %.2f system calls a call; its second is %s", leads[t->leads_to],
		         t->syscalls_per_call, seconds[t->second]);
	else
		snprintf(claim.measured, sizeof(claim.measured),
		         "leads to %s, system calls could not be counted; its second is %s", leads[t->leads_to],
		         seconds[t->second]);
	claim.verdict = t->second == XT_SECOND_FINE     ? XT_CLAIM_REPRODUCED
	                : t->second == XT_SECOND_COARSE ? XT_CLAIM_NOT
	                                                : XT_CLAIM_CANNOT_TELL;
	snprintf(claim.reason, sizeof(claim.reason), "%s",
	         t->second == XT_SECOND_FINE     ? "it reads the fine clock"
	         : t->second == XT_SECOND_COARSE ? "today it reads the coarse second, as sys_time() has since the patch"
	                                         : "no boundary of the second was seen");
	xt_claim_add(claims, &claim);
}

/* What sys_time() saves a caller by reading the coarse second. */
static double saved_ns(const struct xt_wordsize *rows)
{
	return xt_wordsize_ns(rows, "gettimeofday", XT_PATH_SYSCALL) - xt_wordsize_ns(rows, "time", XT_PATH_SYSCALL);
}

static void add_rows(const struct xt_wordsize *rows, char *text, size_t cap)
{
	double vdso = xt_wordsize_ns(rows, "time", XT_PATH_VDSO);
	size_t used = strlen(text);

	used += (size_t)snprintf(text + used, cap - used,
	                         "%s%u-bit: system call gettimeofday() %.1f ns, time() %.1f ns, saved %.1f; ",
	                         used ? ". " : "", rows->bits, xt_wordsize_ns(rows, "gettimeofday", XT_PATH_SYSCALL),
	                         xt_wordsize_ns(rows, "time", XT_PATH_SYSCALL), saved_ns(rows));
	if (isnan(vdso))
		snprintf(text + used, cap - used, "no time() in its vDSO");
	else
		snprintf(text + used, cap - used, "time() in its vDSO %.1f", vdso);
}

static void judge_32_bit(const struct xt_wordsize *native, const struct xt_wordsize *narrow, json_t *claims)
{
	struct xt_claim claim = {
		.id = "32-bit",
		.claim = "the gain belongs to 32-bit platforms (reply)",
		.published = "x86-64 has its own vsyscall time()",
		.verdict = XT_CLAIM_CANNOT_TELL,
	};
	const char *reason = "no 32-bit program could be built or run here";

	if (native)
		add_rows(native, claim.measured, sizeof(claim.measured));
	if (narrow)
		add_rows(narrow, claim.measured, sizeof(claim.measured));
	if (native && narrow && isfinite(saved_ns(native)) && isfinite(saved_ns(narrow))) {
		bool native_enters = isnan(xt_wordsize_ns(native, "time", XT_PATH_VDSO));
		bool narrow_enters = isnan(xt_wordsize_ns(narrow, "time", XT_PATH_VDSO));

		if (saved_ns(narrow) <= 0) {
			claim.verdict = XT_CLAIM_NOT;
			reason = "a 32-bit system call saves nothing";
		} else if (narrow_enters && !native_enters) {
			claim.verdict = XT_CLAIM_REPRODUCED;
			reason = "only the 32-bit program enters the kernel for time(), and there the call saves";
		} else if (saved_ns(native) <= 0) {
			claim.verdict = XT_CLAIM_REPRODUCED;
			reason = "only the 32-bit system call saves";
		} else {
			claim.verdict = XT_CLAIM_NOT;
			reason = narrow_enters
			                 ? "the system call saves on both, and both enter the kernel for time()"
			                 : "the system call saves on both, and today neither enters the kernel for "
			                   "time(): the vDSO serves both";
		}
	}
	snprintf(claim.reason, sizeof(claim.reason), "%s", reason);
	xt_claim_add(claims, &claim);
}

void xt_claims_2007_append_probes(json_t *claims, const struct xt_probes_2007 *probes)
{
	judge_coherent(probes, claims);
	judge_vdso_write(probes->vvar, claims);
	judge_glibc(probes->libc_time, claims);
	judge_32_bit(probes->native, probes->narrow, claims);
}

json_t *xt_word_sizes_json(const struct xt_probes_2007 *probes)
{
	const struct xt_wordsize *sizes[] = {probes->native, probes->narrow};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		json_t *rows = json_array();

		for (int r = 0; sizes[i] && r < XT_WORDSIZE_ROWS; r++) {
			const struct xt_wordsize_row *row = &sizes[i]->row[r];

			json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "call", row->call, "path",
			                                      xt_path_name(row->path), "ns", xt_json_number(row->ns)));
		}
		if (sizes[i])
			json_array_append_new(list, json_pack("{s:i, s:O}", "bits", (int)sizes[i]->bits, "rows", rows));
		json_decref(rows);
	}
	return list;
}

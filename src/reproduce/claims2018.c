/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the 2018 mail says of clock reads and file stamps, against a clocks record. "hires" is CLOCK_REALTIME, "coarse"
 * CLOCK_REALTIME_COARSE, both gross, as the mail's own program took them.
 */
#include "reproduce/claims2018.h"

#include "reproduce/claim.h"
#include "reproduce/clockrow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HIRES  "clock-gettime-realtime"
#define COARSE "clock-gettime-realtime-coarse"

/* The mail's four figures, in this record. */
struct four {
	double vdso_hires, vdso_coarse, sys_hires, sys_coarse;
	double gap_vdso, gap_sys;         /* hires - coarse */
	double entry_hires, entry_coarse; /* syscall - vDSO */
	double hz;
};

static struct four read_four(const json_t *clocks)
{
	struct four f = {
		.vdso_hires = xt_row_ns(clocks, HIRES, "vdso"),
		.vdso_coarse = xt_row_ns(clocks, COARSE, "vdso"),
		.sys_hires = xt_row_ns(clocks, HIRES, "syscall"),
		.sys_coarse = xt_row_ns(clocks, COARSE, "syscall"),
		.hz = xt_row_number(clocks, "counter_hz"),
	};

	f.gap_vdso = f.vdso_hires - f.vdso_coarse;
	f.gap_sys = f.sys_hires - f.sys_coarse;
	f.entry_hires = f.sys_hires - f.vdso_hires;
	f.entry_coarse = f.sys_coarse - f.vdso_coarse;
	return f;
}

static void cannot(struct xt_claim *claim, const char *why)
{
	claim->verdict = XT_CLAIM_CANNOT_TELL;
	snprintf(claim->reason, sizeof(claim->reason), "%s", why);
}

static int claim_four(json_t *out, const struct four *f)
{
	struct xt_claim c = {
		.id = "four",
		.claim = "a coarse read through the vDSO is cheapest, then a hires one, then the two system calls",
		.published = "vDSO hires 37.18, coarse 6.44, syscall hires 161.62, coarse 133.87 ns (3.1 GHz Ryzen)",
	};

	snprintf(c.measured, sizeof(c.measured), "vDSO hires %.2f, coarse %.2f, syscall hires %.2f, coarse %.2f ns",
	         f->vdso_hires, f->vdso_coarse, f->sys_hires, f->sys_coarse);
	if (isnan(f->gap_vdso) || isnan(f->gap_sys)) {
		cannot(&c, "one of the four has no entry here");
	} else if (f->vdso_coarse < f->vdso_hires && f->vdso_hires < f->sys_coarse && f->sys_coarse < f->sys_hires) {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason), "the four stand in the same order");
	} else if (f->vdso_coarse < f->vdso_hires && f->vdso_hires < f->sys_hires && f->vdso_coarse < f->sys_coarse) {
		c.verdict = XT_CLAIM_PARTLY;
		snprintf(c.reason, sizeof(c.reason),
		         "the vDSO is cheaper than the system call and coarse cheaper than hires in it, but the order "
		         "of all four is another");
	} else {
		c.verdict = XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "the order is another");
	}
	return xt_claim_add(out, &c);
}

static int claim_gap_cycles(json_t *out, const struct four *f)
{
	double vdso = f->gap_vdso * f->hz / 1e9, sys = f->gap_sys * f->hz / 1e9;
	double lo = fmin(vdso, sys), hi = fmax(vdso, sys);
	static const char few[] = "the cheaper takes fewer than 50 cycles of the counter (not always the core's own)";
	static const char many[] = "the dearer takes more than 150 cycles, as where a hypervisor takes part";
	struct xt_claim c = {
		.id = "gap-cycles",
		.claim = "reading the counter and adding it costs 70 to 100 cycles",
		.published = "70 to 100 cycles on x86, arm32 and arm64",
	};

	snprintf(c.measured, sizeof(c.measured),
	         "%.0f cycles by vDSO, %.0f by system call (hires - coarse, counter at %.0f MHz)", vdso, sys,
	         f->hz / 1e6);
	if (isnan(vdso) || isnan(sys)) {
		cannot(&c, "there is no cycle counter, or one of the four has no entry here");
	} else if (lo >= 70 && hi <= 100) {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason), "both within 70 to 100 cycles of the counter");
	} else if (lo >= 50 && hi <= 150) {
		c.verdict = XT_CLAIM_PARTLY;
		snprintf(c.reason, sizeof(c.reason), "both within 50 to 150 cycles, not both within 70 to 100");
	} else {
		c.verdict = XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "%s", lo < 50 ? few : many);
	}
	return xt_claim_add(out, &c);
}

/* a / b within [lo, hi]: reproduced; else not. */
static void judge_ratio(struct xt_claim *c, double a, double b, double lo, double hi)
{
	double ratio = a / b;

	if (isnan(ratio) || b <= 0) {
		cannot(c, "one of the four has no entry here, or there is no gap");
		return;
	}
	c->verdict = ratio >= lo && ratio <= hi ? XT_CLAIM_REPRODUCED : XT_CLAIM_NOT;
	snprintf(c->reason, sizeof(c->reason), "the ratio is %.2f; %.2g to %.3g counts as equal", ratio, lo, hi);
}

static int claim_gap_equal(json_t *out, const struct four *f)
{
	struct xt_claim c = {
		.id = "gap-equal",
		.claim = "the gap between hires and coarse is the same by vDSO and by system call (derived)",
		.published = "30.7 and 27.8 ns",
	};

	snprintf(c.measured, sizeof(c.measured), "%.1f and %.1f ns", f->gap_vdso, f->gap_sys);
	judge_ratio(&c, f->gap_vdso, f->gap_sys, 0.7, 1.4);
	return xt_claim_add(out, &c);
}

static int claim_entry_equal(json_t *out, const struct four *f)
{
	struct xt_claim c = {
		.id = "entry-equal",
		.claim = "the kernel entry costs the same for both clocks (derived)",
		.published = "124.4 and 127.4 ns",
	};

	snprintf(c.measured, sizeof(c.measured), "%.1f ns (hires) and %.1f ns (coarse)", f->entry_hires,
	         f->entry_coarse);
	judge_ratio(&c, f->entry_hires, f->entry_coarse, 0.8, 1.25);
	return xt_claim_add(out, &c);
}

static int claim_pwrite(json_t *out, double pwrite_ns, double hz)
{
	struct xt_claim c = {
		.id = "pwrite",
		.claim = "writing one byte into a tmpfs file takes about 400 ns",
		.published = "about 400 ns (1240 cycles)",
	};

	snprintf(c.measured, sizeof(c.measured), "%.0f ns (%.0f cycles of the counter)", pwrite_ns,
	         pwrite_ns * hz / 1e9);
	if (isnan(pwrite_ns)) {
		cannot(&c, "there is no tmpfs to write to");
	} else {
		c.verdict = pwrite_ns >= 200 && pwrite_ns <= 800 ? XT_CLAIM_REPRODUCED : XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "%s half and twice the published figure",
		         c.verdict == XT_CLAIM_REPRODUCED ? "between" : "not between");
	}
	return xt_claim_add(out, &c);
}

/* The stamps measured on tmpfs; NULL when they were not. */
static const json_t *tmpfs_stamps(const json_t *clocks)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(clocks, "file_stamps"), i, row)
	{
		const char *name = json_string_value(json_object_get(row, "filesystem"));

		if (name && !strcmp(name, "tmpfs"))
			return row;
	}
	return NULL;
}

static int claim_surcharge(json_t *out, const json_t *clocks, const struct four *f, double pwrite_ns)
{
	double low = 100 * fmin(f->gap_vdso, f->gap_sys) / pwrite_ns;
	double high = 100 * fmax(f->gap_vdso, f->gap_sys) / pwrite_ns;
	const json_t *stamps = tmpfs_stamps(clocks);
	struct xt_claim c = {
		.id = "surcharge",
		.claim = "accurate stamps would add 5 to 10 % to a write of one byte",
		.published = "5 % to 10 % of about 400 ns",
	};
	int n = snprintf(c.measured, sizeof(c.measured), "%.1f to %.1f %% as the mail reckons (gap / pwrite)", low,
	                 high);

	if (stamps && json_is_true(json_object_get(stamps, "multigrain")))
		snprintf(c.measured + n, sizeof(c.measured) - (size_t)n,
		         "; this kernel has multigrain stamps: a write after a stat really costs %+.0f ns (%+.1f %%)",
		         xt_row_number(stamps, "surcharge_ns"), xt_row_number(stamps, "surcharge_percent"));
	else if (stamps)
		snprintf(c.measured + n, sizeof(c.measured) - (size_t)n,
		         "; this kernel takes file stamps from the coarse clock alone");
	if (isnan(low) || isnan(high)) {
		cannot(&c, "one of the clocks or tmpfs is missing here");
	} else if (low >= 5 && high <= 10) {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason), "gap / pwrite lies within 5 to 10 %% on both paths");
	} else if (low >= 3 && high <= 15) {
		c.verdict = XT_CLAIM_PARTLY;
		snprintf(c.reason, sizeof(c.reason), "gap / pwrite lies within 3 to 15 %%, not within 5 to 10 %%");
	} else {
		c.verdict = XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "gap / pwrite lies outside 3 to 15 %%");
	}
	return xt_claim_add(out, &c);
}

static int claim_round(json_t *out, const json_t *clocks)
{
	const json_t *coarse = json_object_get(clocks, "coarse");
	double rate = xt_row_number(coarse, "per_second"), hz = xt_row_number(coarse, "hz");
	double zeros = xt_row_number(coarse, "min_zeros");
	struct xt_claim c = {
		.id = "round",
		.claim = "coarse stamps are nice round values that show the real accuracy",
		.published = "said without figures",
	};

	if (isnan(rate) || isnan(hz)) {
		cannot(&c, "the coarse clock's steps were not watched");
		return xt_claim_add(out, &c);
	}
	snprintf(c.measured, sizeof(c.measured),
	         "%.1f different values a second at %.0f Hz; tv_nsec ends in %.0f decimal zero%s at least", rate, hz,
	         zeros, zeros == 1 ? "" : "s");
	if (fabs(rate / hz - 1) > 0.02) {
		c.verdict = XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "the number of different values is not the tick rate");
	} else if (zeros >= 3) {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason), "one value a tick, and the values are round");
	} else {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason),
		         "one value a tick, so they show the real accuracy; the values themselves are not round, since "
		         "the "
		         "kernel keeps them in step with the disciplined clock");
	}
	return xt_claim_add(out, &c);
}

json_t *xt_claims_2018(const json_t *clocks)
{
	struct four f = read_four(clocks);
	double pwrite_ns = xt_row_ns(clocks, "pwrite-tmpfs", "none");
	json_t *out = json_array();

	if (!out || claim_four(out, &f) || claim_gap_cycles(out, &f) || claim_gap_equal(out, &f) ||
	    claim_entry_equal(out, &f) || claim_pwrite(out, pwrite_ns, f.hz) ||
	    claim_surcharge(out, clocks, &f, pwrite_ns) || claim_round(out, clocks)) {
		json_decref(out);
		return NULL;
	}
	return out;
}

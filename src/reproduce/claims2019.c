/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the 2019 mail shows for the unified vDSO, against one or two clocks records.
 */
#include "reproduce/claims2019.h"

#include "reproduce/claim.h"
#include "reproduce/clockrow.h"
#include "reproduce/figures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double xt_2019_before(const json_t *clocks, const json_t *old, const char *call)
{
	return old ? xt_row_ns(old, call, "vdso") : xt_row_ns(clocks, call, "syscall");
}

double xt_2019_after(const json_t *clocks, const char *call)
{
	return xt_row_ns(clocks, call, "vdso");
}

static double gain(const json_t *clocks, const json_t *old, const char *call)
{
	return xt_2019_before(clocks, old, call) / xt_2019_after(clocks, call);
}

/* Appends to a text of fixed size; what does not fit is cut. */
static void __attribute__((format(printf, 3, 4))) add(char *text, size_t cap, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, cap - used, fmt, ap);
	va_end(ap);
}

static const char *say_before(const json_t *old)
{
	return old ? "the old kernel's vDSO" : "this machine's system call stands for \"before\"";
}

static int claim_new_rows(json_t *out, const json_t *clocks)
{
	unsigned have = 0, gettime = 0, gettime_have = 0, fresh = 0, fresh_have = 0;
	struct xt_claim c = {
		.id = "new-rows",
		.claim = "calls that had no vDSO entry before have one after",
		.published = "seven clock_getres rows go from n/t to 34..36 ns; getcpu stays n/t (Cortex-A15)",
	};

	for (size_t i = 0; i < xt_figures_2019_count; i++) {
		const struct xt_figure_2019 *f = &xt_figures_2019[i];
		bool here = !isnan(xt_2019_after(clocks, f->call));

		have += here;
		if (!strncmp(f->call, "clock-gettime-", 14)) {
			gettime++;
			gettime_have += here;
		}
		if (isnan(f->before_ns) && !isnan(f->after_ns)) {
			fresh++;
			fresh_have += here;
		}
	}
	snprintf(c.measured, sizeof(c.measured), "%u of %zu calls have a vDSO entry here, %u of the %u new rows", have,
	         xt_figures_2019_count, fresh_have, fresh);
	for (size_t i = 0, n = 0; i < xt_figures_2019_count; i++)
		if (isnan(xt_2019_after(clocks, xt_figures_2019[i].call)))
			add(c.measured, sizeof(c.measured), "%s%s",
			    n++ ? ", " : "; without one: ", xt_figures_2019[i].call);
	if (gettime_have < gettime) {
		c.verdict = XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "not even all clock_gettime rows have an entry");
	} else if (fresh_have == fresh) {
		c.verdict = XT_CLAIM_REPRODUCED;
		snprintf(c.reason, sizeof(c.reason), "every row that was new in 2019 has an entry here");
	} else {
		c.verdict = XT_CLAIM_PARTLY;
		snprintf(c.reason, sizeof(c.reason), "the clock_gettime rows have an entry, not all new rows do");
	}
	return xt_claim_add(out, &c);
}

static int claim_dramatic(json_t *out, const json_t *clocks, const json_t *old)
{
	static const char *const calls[] = {"clock-gettime-monotonic-raw", "clock-gettime-tai",
	                                    "clock-gettime-boottime"};
	unsigned enough = 0, known = 0;
	struct xt_claim c = {
		.id = "dramatic",
		.claim = "raw, tai and boottime gain 3 to 4.2 times",
		.published = "431 to 142, 598 to 150, 592 to 142 ns: 3.0, 4.0 and 4.2 times (Cortex-A15)",
	};

	for (int i = 0; i < 3; i++) {
		double times = gain(clocks, old, calls[i]);

		if (isnan(times)) {
			add(c.measured, sizeof(c.measured), "%s%s n/t", i ? ", " : "", calls[i] + 14);
			continue;
		}
		known++;
		enough += times >= 3;
		add(c.measured, sizeof(c.measured), "%s%s %.0f to %.0f ns (%.1fx)", i ? ", " : "", calls[i] + 14,
		    xt_2019_before(clocks, old, calls[i]), xt_2019_after(clocks, calls[i]), times);
	}
	snprintf(c.reason, sizeof(c.reason), "%u of 3 gain at least 3 times; %s", enough, say_before(old));
	if (!known)
		c.verdict = XT_CLAIM_CANNOT_TELL;
	else
		c.verdict = enough == 3 ? XT_CLAIM_REPRODUCED : enough ? XT_CLAIM_PARTLY : XT_CLAIM_NOT;
	return xt_claim_add(out, &c);
}

/* Published: monotonic, realtime and gettimeofday gained a little, the coarse rows lost a little. */
static int claim_minor(json_t *out, const json_t *clocks, const json_t *old)
{
	static const struct {
		const char *call;
		const char *name;
		bool coarse;
	} rows[] = {
		{"clock-gettime-monotonic", "monotonic", false},
		{"clock-gettime-realtime", "realtime", false},
		{"gettimeofday", "gettimeofday", false},
		{"clock-gettime-monotonic-coarse", "monotonic-coarse", true},
		{"clock-gettime-realtime-coarse", "realtime-coarse", true},
	};
	unsigned as_said = 0, known = 0;
	struct xt_claim c = {
		.id = "minor",
		.claim = "monotonic, realtime and gettimeofday improve; the coarse rows hardly move or lose",
		.published = "147 to 142, 149 to 142, 133 to 110; coarse 90 to 96 and 86 to 96 ns (Cortex-A15)",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double times = gain(clocks, old, rows[i].call);

		if (isnan(times)) {
			add(c.measured, sizeof(c.measured), "%s%s n/t", i ? ", " : "", rows[i].name);
			continue;
		}
		known++;
		as_said += rows[i].coarse ? times < 1.1 : times > 1;
		add(c.measured, sizeof(c.measured), "%s%s %.2fx", i ? ", " : "", rows[i].name, times);
	}
	if (!old || !known) {
		c.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(c.reason, sizeof(c.reason),
		         "another comparison: the claim sets two kernels side by side, here system call and vDSO of "
		         "one; "
		         "--compare takes the record of another kernel");
	} else {
		c.verdict = as_said == known       ? XT_CLAIM_REPRODUCED
		            : as_said * 2 >= known ? XT_CLAIM_PARTLY
		                                   : XT_CLAIM_NOT;
		snprintf(c.reason, sizeof(c.reason), "%u of %u rows move as the mail shows", as_said, known);
	}
	return xt_claim_add(out, &c);
}

json_t *xt_claims_2019(const json_t *clocks, const json_t *old)
{
	json_t *out = json_array();

	if (!out || claim_new_rows(out, clocks) || claim_dramatic(out, clocks, old) || claim_minor(out, clocks, old)) {
		json_decref(out);
		return NULL;
	}
	return out;
}

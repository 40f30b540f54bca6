/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of 2007 that a measured curve can bear out.
 */
#include "reproduce/claims2007.h"

#include "reproduce/claim.h"

#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS_MAX = 256 };

static const double SIZE_LOW = 0.001, SIZE_HIGH = 0.126; /* published gains: October's least, June's most */
static const double DOUBLES = 1.6, FLAT = 0.20;          /* what counts as "doubles" and as "flat" */

/* What the claims look at, per point, in the order of the record. */
struct curve {
	size_t n;
	unsigned threads[POINTS_MAX];
	double tps[POINTS_MAX]; /* of the base */
	double ratio[POINTS_MAX], lo[POINTS_MAX], hi[POINTS_MAX];
	long cpus;
};

static double number(const json_t *value)
{
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void read_curve(const json_t *ab, struct curve *c)
{
	const json_t *points = json_object_get(ab, "points"), *point;
	const json_t *cpus = json_object_get(json_object_get(ab, "host"), "cpus");
	size_t i;

	memset(c, 0, sizeof(*c));
	c->cpus = (long)json_integer_value(cpus);
	json_array_foreach(points, i, point)
	{
		const json_t *comparison = json_array_get(json_object_get(point, "comparisons"), 0);
		const json_t *ci = json_object_get(comparison, "ci95");

		if (c->n == POINTS_MAX)
			return;
		c->threads[c->n] = (unsigned)json_integer_value(json_object_get(point, "threads"));
		c->tps[c->n] = number(json_object_get(json_array_get(json_object_get(point, "arms"), 0), "tps"));
		c->ratio[c->n] = number(json_object_get(comparison, "ratio"));
		c->lo[c->n] = number(json_array_get(ci, 0));
		c->hi[c->n] = number(json_array_get(ci, 1));
		c->n++;
	}
}

static double tps_at(const struct curve *c, unsigned threads)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->threads[i] == threads)
			return c->tps[i];
	return NAN;
}

static void judge_gain(const struct curve *c, json_t *claims)
{
	struct xt_claim claim = {
		.id = "gain",
		.claim = "reading cached seconds in sys_time() raises sysbench OLTP throughput at 1 to 5 threads "
			 "(June mail, October commit)",
		.published = "a gain at every one of 1 to 5 threads, on three systems",
	};
	size_t above = 0, known = 0;

	for (size_t i = 0; i < c->n; i++) {
		known += isfinite(c->lo[i]);
		above += isfinite(c->lo[i]) && c->lo[i] > 1;
	}
	snprintf(claim.measured, sizeof(claim.measured), "the interval lies above 0 at %zu of %zu thread counts", above,
	         c->n);
	if (!known) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.reason, sizeof(claim.reason), "no thread count has an interval");
	} else {
		claim.verdict = above == c->n ? XT_CLAIM_REPRODUCED : above ? XT_CLAIM_PARTLY : XT_CLAIM_NOT;
		snprintf(claim.reason, sizeof(claim.reason), "%s",
		         above == c->n ? "every interval is above 0"
		         : above       ? "some intervals are above 0, not all"
		                       : "no interval is above 0");
	}
	xt_claim_add(claims, &claim);
}

static void judge_size(const struct curve *c, json_t *claims)
{
	struct xt_claim claim = {
		.id = "size",
		.claim = "the gain is 5.6 to 12.6 % (June), 0.1 to 5.7 % (October)",
		.published = "0.1 to 12.6 %",
	};
	double gain = xt_stats_median(c->ratio, c->n) - 1;

	if (!isfinite(gain)) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.measured, sizeof(claim.measured), "no median gain");
		snprintf(claim.reason, sizeof(claim.reason), "a thread count has no ratio");
	} else {
		bool inside = gain >= SIZE_LOW && gain <= SIZE_HIGH;

		snprintf(claim.measured, sizeof(claim.measured), "median over the thread counts %+.1f %%", gain * 100);
		claim.verdict = inside ? XT_CLAIM_REPRODUCED : gain > 0 ? XT_CLAIM_PARTLY : XT_CLAIM_NOT;
		snprintf(claim.reason, sizeof(claim.reason), "%s",
		         inside     ? "the median lies within the published range"
		         : gain > 0 ? "a gain, but outside the published range"
		                    : "no gain");
	}
	xt_claim_add(claims, &claim);
}

static void judge_shape(const struct curve *c, json_t *claims)
{
	struct xt_claim claim = {
		.id = "shape",
		.claim = "throughput about doubles from one thread to two, then stays flat (derived from the figures, "
			 "on two "
			 "CPUs)",
		.published = "before: x1.79, then within 6 % (June); x2.09 and within 5 % (October, AMD)",
	};
	double two = tps_at(c, 2) / tps_at(c, 1), worst = 0;
	bool known = isfinite(two);

	for (unsigned t = 3; t <= 5; t++) {
		double off = fabs(tps_at(c, t) / tps_at(c, 2) - 1);

		known &= isfinite(off);
		if (off > worst)
			worst = off;
	}
	if (c->cpus < 2 || !known) {
		claim.verdict = XT_CLAIM_CANNOT_TELL;
		snprintf(claim.measured, sizeof(claim.measured), "%s",
		         known ? "one CPU" : "1 to 5 threads were not all measured");
		snprintf(claim.reason, sizeof(claim.reason), "needs 1 to 5 threads on two CPUs or more");
	} else {
		bool doubles = two >= DOUBLES, flat = worst <= FLAT;

		snprintf(claim.measured, sizeof(claim.measured),
		         "x%.2f from one to two, 3 to 5 threads within %.0f %% of two", two, worst * 100);
		claim.verdict = doubles && flat   ? XT_CLAIM_REPRODUCED
		                : doubles || flat ? XT_CLAIM_PARTLY
		                                  : XT_CLAIM_NOT;
		snprintf(claim.reason, sizeof(claim.reason), "doubling asks for x%.1f: %s; flat asks for %.0f %%: %s%s",
		         DOUBLES, doubles ? "yes" : "no", FLAT * 100, flat ? "yes" : "no",
		         c->cpus > 2 && !flat ? " (this machine has more than two CPUs)" : "");
	}
	xt_claim_add(claims, &claim);
}

static void judge_merged(const struct curve *c, json_t *claims)
{
	struct xt_claim claim = {
		.id = "merged",
		.claim = "more CPUs, more speedup (October commit)",
		.published = "\"4-5 %\" on two dual-core systems, more on more CPUs",
		.verdict = XT_CLAIM_CANNOT_TELL,
	};
	size_t first = 0, last = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->threads[i] < c->threads[first])
			first = i;
		if ((long)c->threads[i] <= c->cpus && c->threads[i] > c->threads[last])
			last = i;
	}
	snprintf(claim.measured, sizeof(claim.measured), "%ld CPUs", c->cpus);
	if (c->cpus <= 2) {
		snprintf(claim.reason, sizeof(claim.reason),
		         "two CPUs are what the mail measured on: there is nothing to compare");
	} else if (!c->n || last == first || !isfinite(c->lo[first]) || !isfinite(c->lo[last])) {
		snprintf(claim.reason, sizeof(claim.reason),
		         "needs at least two thread counts up to the number of CPUs");
	} else {
		bool rising = c->lo[last] > c->hi[first], falling = c->hi[last] < c->lo[first];

		snprintf(claim.measured, sizeof(claim.measured), "%+.1f %% at %u thread%s, %+.1f %% at %u",
		         (c->ratio[first] - 1) * 100, c->threads[first], c->threads[first] == 1 ? "" : "s",
		         (c->ratio[last] - 1) * 100, c->threads[last]);
		claim.verdict = rising ? XT_CLAIM_REPRODUCED : falling ? XT_CLAIM_NOT : XT_CLAIM_PARTLY;
		snprintf(claim.reason, sizeof(claim.reason), "%s",
		         rising    ? "the gain rises beyond the intervals"
		         : falling ? "the gain falls beyond the intervals"
		                   : "the gain is flat within the intervals");
	}
	xt_claim_add(claims, &claim);
}

void xt_claims_2007_append(json_t *claims, const json_t *ab)
{
	struct curve curve;

	read_curve(ab, &curve);
	judge_gain(&curve, claims);
	judge_size(&curve, claims);
	judge_shape(&curve, claims);
	judge_merged(&curve, claims);
}

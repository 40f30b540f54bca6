/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit of dose and response.
 */
#include "ab/dose.h"

#include "record/record.h"

#include <math.h>
#include <stdlib.h>

/* A drop of throughput by 1 % is 1 / 0.99 - 1 more time. */
static const double ONE_PERCENT = 1 / 0.99 - 1;
/* A wait cools its caller's caches. How much of that a transaction feels depends on the machine's neighbours from one
 * minute to the next: of what was added to a read, 0 to about a fifth was seen beyond it on SQLite in memory and on
 * PostgreSQL, with more in single points on WAL files; one machine. */
static const double MOST_FELT = 0.2;
/* The estimator takes logarithms of ratios; slopes are brought to their size. */
static const double LOSS_SCALE = 1e3, CALLS_SCALE = 1e-3;

static struct xt_range range_of(const struct xt_estimate *e, double scale)
{
	return (struct xt_range){log(e->ratio) / scale, log(e->lo) / scale, log(e->hi) / scale};
}

/* What the blocks of a point are fitted from. */
struct doses {
	const double *rates;
	size_t blocks;
	double busy;            /* CPUs */
	double per_transaction; /* statements */
};

/* One block's slope of time per transaction over added ns, relative to the base's time. NAN when a slice was empty. */
static double block_slope(const double *rates, const double *added_ns, const struct xt_ab *ab)
{
	double base = (rates[0] + rates[ab->plan.arms]) / 2; /* the control is the base again */
	double xy = 0, xx = 0;

	for (unsigned a = 1; a < ab->plan.arms; a++) {
		xy += added_ns[a] * (base / rates[a] - 1);
		xx += added_ns[a] * added_ns[a];
	}
	return xy / xx;
}

/* What each arm really adds to a read, with so many times its cooling: the mean over the functions by their calls; as
 * asked for when none was called. */
static void really_added(const struct xt_ab *ab, const struct xt_point_result *r, double coolings, double *added_ns)
{
	for (unsigned a = 0; a < ab->plan.arms; a++) {
		double sum = 0, calls = 0;

		for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
			double added = xt_point_cost(r, a, fn, coolings) - xt_point_cost(r, 0, fn, coolings);

			if (r->calls[fn] > 0 && isfinite(added)) {
				sum += r->calls[fn] * added;
				calls += r->calls[fn];
			}
		}
		added_ns[a] = calls > 0 ? sum / calls
		                        : (double)ab->plan.arm[a].arm.added_ns - (double)ab->plan.arm[0].arm.added_ns;
	}
}

/* Located over the blocks as ratios are. -1: out of memory. */
static int fit(const struct doses *d, const struct xt_ab *ab, const double *added_ns, struct xt_dose *out)
{
	unsigned arms = ab->plan.arms + 1;
	double *loss = calloc(d->blocks + 1, sizeof(*loss)), *calls = calloc(d->blocks + 1, sizeof(*calls));
	struct xt_estimate of_loss, of_calls;
	size_t n = 0;
	int rc = -1;

	for (size_t b = 0; loss && calls && b < d->blocks; b++) {
		const double *r = &d->rates[b * arms];
		double slope = block_slope(r, added_ns, ab);

		if (!isfinite(slope))
			continue;
		loss[n] = slope * LOSS_SCALE;
		calls[n++] = slope * d->busy / ((r[0] + r[ab->plan.arms]) / 2 / d->per_transaction) * 1e9 * CALLS_SCALE;
	}
	if (loss && calls && !xt_estimate_ratio(loss, n, &of_loss) && !xt_estimate_ratio(calls, n, &of_calls)) {
		out->loss = range_of(&of_loss, LOSS_SCALE);
		out->calls = range_of(&of_calls, CALLS_SCALE);
		rc = 0;
	}
	free(loss);
	free(calls);
	return rc;
}

/* Reads from the fit with as much cooling as predictions take; an interval from reads that cost their own time alone
 * to such as cost MOST_FELT of it beyond. */
static int fit_all(const struct doses *d, const struct xt_ab *ab, const struct xt_point_result *result,
                   struct xt_dose *out)
{
	double added_ns[XT_MAX_ARMS];
	struct xt_dose cooled;

	really_added(ab, result, xt_point_coolings(ab), added_ns);
	if (fit(d, ab, added_ns, &cooled))
		return -1;
	really_added(ab, result, 0, added_ns);
	if (fit(d, ab, added_ns, out))
		return -1;
	out->calls.value = cooled.calls.value;
	out->calls.lo = fmin(out->calls.lo / (1 + MOST_FELT), cooled.calls.lo);
	return 0;
}

int xt_dose_fit(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *result,
                struct xt_dose *out)
{
	unsigned arms = ab->plan.arms + 1;
	double *rates = calloc(point->slicing.slices.n + arms, sizeof(*rates));
	struct doses d = {.rates = rates, .busy = xt_point_busy(point, ab)};
	size_t dropped;
	int rc = -1;

	if (rates) {
		d.blocks = xt_point_rates(point, arms, rates, &dropped);
		d.per_transaction = (double)point->totals.credited / (double)point->totals.transactions;
		rc = fit_all(&d, ab, result, out);
	}
	free(rates);
	if (rc)
		return -1;
	/* The dearer the loss, the sooner: the ends change places. A loss that may be none has no break-even. */
	out->break_even = (struct xt_range){
		out->loss.value > 0 ? ONE_PERCENT / out->loss.value : NAN,
		out->loss.hi > 0 ? ONE_PERCENT / out->loss.hi : NAN,
		out->loss.lo > 0 ? ONE_PERCENT / out->loss.lo : NAN,
	};
	out->counted = NAN;
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		if (xt_point_swaps(ab, fn) && isfinite(result->calls[fn]))
			out->counted = (isfinite(out->counted) ? out->counted : 0) + result->calls[fn];
	return 0;
}

static json_t *range_json(const struct xt_range *range)
{
	json_t *o = json_object();

	json_object_set_new(o, "value", xt_json_number(range->value));
	json_object_set_new(o, "ci95",
	                    isfinite(range->lo) && isfinite(range->hi)
	                            ? json_pack("[o, o]", xt_json_number(range->lo), xt_json_number(range->hi))
	                            : json_null());
	return o;
}

json_t *xt_dose_json(const struct xt_dose *dose, const struct xt_ab *ab)
{
	json_t *o = json_object(), *added = json_array();

	for (unsigned a = 0; a < ab->plan.arms; a++)
		json_array_append_new(added, json_integer((json_int_t)ab->plan.arm[a].arm.added_ns));
	json_object_set_new(o, "added_ns", added);
	json_object_set_new(o, "loss_per_ns", range_json(&dose->loss));
	json_object_set_new(o, "calls_per_transaction", range_json(&dose->calls));
	json_object_set_new(o, "counted_calls", xt_json_number(dose->counted));
	json_object_set_new(o, "break_even_ns", range_json(&dose->break_even));
	return o;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From slices to estimates: block log ratios, verdicts, predictions.
 */
#include "ab/point.h"

#include "record/host.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int xt_point_init(struct xt_point *point, const struct xt_ab *ab, unsigned threads, struct xt_err *err)
{
	memset(point, 0, sizeof(*point));
	point->threads = threads;
	point->visits_wanted = ab->rounds;
	point->slicing = (struct xt_slicing){.page = ab->page, .arms = ab->plan.arms + 1, .slice_ns = ab->slice_ns};
	return xt_totals_init(&point->totals, ab->plan.arms + 1, err);
}

void xt_point_free(struct xt_point *point)
{
	free(point->slicing.slices.v);
	xt_totals_free(&point->totals);
	xt_cost_pool_free(&point->cost);
}

static bool whole(const struct xt_slice *block, unsigned arms)
{
	for (unsigned i = 0; i < arms; i++)
		if (block[i].late || block[i].end_ns <= block[i].begin_ns)
			return false;
	return true;
}

size_t xt_point_rates(const struct xt_point *point, unsigned arms, double *rates, size_t *dropped)
{
	const struct xt_slices *slices = &point->slicing.slices;
	size_t kept = 0;

	*dropped = 0;
	for (size_t at = 0; at + arms <= slices->n; at += arms) {
		const struct xt_slice *block = &slices->v[at];

		if (!whole(block, arms)) {
			++*dropped;
			continue;
		}
		for (unsigned i = 0; i < arms; i++) {
			double seconds = (double)(block[i].end_ns - block[i].begin_ns) / 1e9;

			rates[kept * arms + block[i].arm] = (double)block[i].statements / seconds;
		}
		kept++;
	}
	return kept;
}

/* Sums over the kept blocks. */
static void sum_arms(const struct xt_point *point, unsigned arms, struct xt_point_result *r)
{
	const struct xt_slices *slices = &point->slicing.slices;

	for (size_t at = 0; at + arms <= slices->n; at += arms) {
		const struct xt_slice *block = &slices->v[at];

		if (!whole(block, arms))
			continue;
		for (unsigned i = 0; i < arms; i++) {
			r->arm[block[i].arm].seconds += (double)(block[i].end_ns - block[i].begin_ns) / 1e9;
			r->arm[block[i].arm].statements += block[i].statements;
		}
	}
	for (unsigned a = 0; a < arms; a++)
		r->arm[a].tps =
			r->arm[a].seconds > 0 && r->statements_per_transaction > 0
				? (double)r->arm[a].statements / r->arm[a].seconds / r->statements_per_transaction
				: NAN;
}

/* The interval of an arm's own rate, for the picture: of means over at most 100 neighbouring groups, so that slices
 * which follow each other closely do not count as independent. */
static void own_interval(const double *rates, size_t blocks, unsigned arms, unsigned arm, struct xt_point_arm *out)
{
	double group[100], location, lo, hi;
	size_t groups = blocks < 100 ? blocks : 100;

	for (size_t g = 0; g < groups; g++) {
		size_t from = g * blocks / groups, to = (g + 1) * blocks / groups;
		double sum = 0;

		for (size_t b = from; b < to; b++)
			sum += rates[b * arms + arm];
		group[g] = sum / (double)(to - from);
	}
	xt_stats_signed_rank(group, groups, &location, &lo, &hi);
	out->tps_lo = out->tps * lo / location;
	out->tps_hi = out->tps * hi / location;
}

static double per_transaction(const struct xt_calls *calls, unsigned fn, unsigned arms, uint64_t transactions)
{
	double sum = 0;

	for (unsigned a = 0; a < arms; a++)
		sum += (double)calls->of[fn][a];
	return transactions ? sum / (double)transactions : NAN;
}

bool xt_point_swaps(const struct xt_ab *ab, unsigned fn)
{
	static const unsigned bit[XT_FUNCTIONS] = {XT_SWAP_TIME,          XT_SWAP_GETTIMEOFDAY, XT_SWAP_CLOCK_GETTIME,
	                                           XT_SWAP_CLOCK_GETTIME, XT_SWAP_GETTIMEOFDAY, XT_SWAP_MONOTONIC};

	return ab->plan.swap & bit[fn];
}

double xt_point_cost(const struct xt_point_result *r, unsigned arm, unsigned fn, double coolings)
{
	double cooling;

	/* timespec_get costs what clock_gettime costs, ftime what gettimeofday does. */
	if (fn == XT_FN_TIMESPEC_GET)
		fn = XT_FN_CLOCK_GETTIME;
	if (fn == XT_FN_FTIME)
		fn = XT_FN_GETTIMEOFDAY;
	cooling = r->cost[arm].cooling_ns[fn];
	return r->cost[arm].ns[fn] + (isfinite(cooling) ? coolings * cooling : 0);
}

uint64_t xt_point_calls_under(const struct xt_point *point, const struct xt_ab *ab, unsigned arm)
{
	uint64_t sum = 0;

	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		if (xt_point_swaps(ab, fn)) {
			sum += point->client.of[fn][arm];
			if (!ab->client_only)
				sum += point->server.of[fn][arm];
		}
	return sum;
}

double xt_point_coolings(const struct xt_ab *ab)
{
	return xt_ab_plan_enters_kernel(&ab->plan) ? 0 : XT_POINT_COOLING;
}

/* What arm saves against the base per transaction, ns. */
static double saved_ns(const struct xt_ab *ab, unsigned arm, const struct xt_point_result *r)
{
	double coolings = xt_point_coolings(ab), sum = 0;

	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		if (xt_point_swaps(ab, fn) && r->calls[fn] > 0)
			sum += r->calls[fn] * (xt_point_cost(r, 0, fn, coolings) - xt_point_cost(r, arm, fn, coolings));
	return sum;
}

unsigned xt_point_busy(const struct xt_point *point, const struct xt_ab *ab)
{
	const struct xt_engine *engine = ab->engine;
	unsigned cpus = xt_host_cpus();

	if (point->threads > 1 && engine->driver->single_writer && engine->driver->single_writer(engine->db))
		return 1;
	return point->threads > cpus ? cpus : point->threads;
}

/* Transactions a second in the slices of the cheaper of two arms, a figure for each block: the median of the blocks
 * around it. A stall (a checkpoint, say) hits a slice of either arm, so that measured ratios err to both sides and
 * their location does not; but what is foretold from a slice that a stall was in is too small, and never too large. */
static void undisturbed(const double *rates, size_t blocks, unsigned arms, unsigned cheaper, double *out)
{
	enum { AROUND = 4 };
	double window[2 * AROUND + 1];

	for (size_t b = 0; b < blocks; b++) {
		size_t n = 0;

		for (size_t at = b < AROUND ? 0 : b - AROUND; at < blocks && at <= b + AROUND; at++) {
			const double *rate = &rates[at * arms];

			window[n++] = cheaper ? rate[cheaper] : (rate[0] + rate[arms - 1]) / 2;
		}
		out[b] = xt_stats_median(window, n);
	}
}

/* Time per transaction at a device that serves one reader at a time; 0 when an arm has none. */
static double device_ns(const struct xt_ab *ab, unsigned arm, const struct xt_point_result *r)
{
	double sum = 0;

	if (!ab->plan.arm[arm].arm.serialised)
		return 0;
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		if (xt_point_swaps(ab, fn) && r->calls[fn] > 0)
			sum += r->calls[fn] * xt_point_cost(r, arm, fn, 0);
	return sum;
}

/* A reader finds the device taken by one of the other CPUs for their share of the time, others x device / t, and waits
 * for half a read on average. t = without + others x device^2 / 2t is solved for t, which is never less than what the
 * device needs to serve all. */
static double with_queue(double without, double device, double others)
{
	double t = (without + sqrt(without * without + 2 * others * device * device)) / 2;

	return fmax(t, (others + 1) * device);
}

static double without_queue(double t, double device, double others)
{
	return t - others * device * device / (2 * t);
}

/* The ratio that the saved time foretells: block by block from what a transaction took thereabouts under the arm whose
 * reads are cheaper, then the mean of their logarithms: one rate for the whole point would not do where the machine has
 * a fast and a slow state. From the dearer arm an error of the saved time would come out larger by the ratio itself. */
static int predict(const struct xt_point *point, const struct xt_ab *ab, unsigned arm, const double *rates,
                   struct xt_point_result *r)
{
	double saved = saved_ns(ab, arm, r), *rate = calloc(r->blocks + 1, sizeof(*rate)), sum = 0;
	unsigned cheaper = saved > 0 ? arm : 0, busy = xt_point_busy(point, ab);
	double cheap_device = device_ns(ab, cheaper, r), dear_device = device_ns(ab, saved > 0 ? 0 : arm, r);
	size_t n = 0;

	if (!rate)
		return -1;
	undisturbed(rates, r->blocks, ab->plan.arms + 1, cheaper, rate);
	for (size_t b = 0; b < r->blocks; b++) {
		double cheap = busy / rate[b] * r->statements_per_transaction * 1e9;
		double dear =
			with_queue(without_queue(cheap, cheap_device, busy - 1) + fabs(saved), dear_device, busy - 1);
		double ratio = saved > 0 ? xt_predict_ratio(dear - cheap, dear) : xt_predict_ratio(cheap - dear, cheap);

		if (ratio > 0) {
			sum += log(ratio);
			n++;
		}
	}
	r->comparison[arm].predicted = n ? exp(sum / (double)n) : NAN;
	free(rate);
	return 0;
}

static int compare(const struct xt_point *point, const struct xt_ab *ab, struct xt_point_result *r, struct xt_err *err)
{
	unsigned arms = ab->plan.arms + 1;
	double *log_ratio = calloc(r->blocks + 1, sizeof(*log_ratio));

	if (!log_ratio)
		return xt_err_failed(err, "out of memory");
	for (unsigned a = 1; a < arms; a++) {
		const struct xt_slices *slices = &point->slicing.slices;
		size_t n = 0;

		for (size_t at = 0; at + arms <= slices->n; at += arms) {
			const struct xt_slice *block = &slices->v[at], *base = block, *other = block;

			if (!whole(block, arms))
				continue;
			while (base->arm != 0)
				base++;
			while (other->arm != a)
				other++;
			log_ratio[n++] = xt_block_log_ratio(
				(double)base->statements, (double)(base->end_ns - base->begin_ns) / 1e9,
				(double)other->statements, (double)(other->end_ns - other->begin_ns) / 1e9);
		}
		if (xt_estimate_ratio(log_ratio, n, &r->comparison[a].estimate)) {
			free(log_ratio);
			return xt_err_failed(err, "out of memory");
		}
	}
	free(log_ratio);
	return 0;
}

static int judge(const struct xt_point *point, const struct xt_ab *ab, const double *rates, struct xt_point_result *r)
{
	unsigned control = ab->plan.arms;

	for (unsigned a = 1; a <= control; a++) {
		struct xt_point_comparison *c = &r->comparison[a];
		bool is_void = !xt_point_calls_under(point, ab, 0) || !xt_point_calls_under(point, ab, a);

		c->verdict = xt_verdict_of(&c->estimate, &r->comparison[control].estimate, is_void);
		c->ratio_of_totals = r->arm[a].tps / r->arm[0].tps;
		c->predicted = 1;
		if (a != control && predict(point, ab, a, rates, r))
			return -1;
		if (is_void)
			c->estimate.ratio = c->estimate.lo = c->estimate.hi = NAN;
	}
	return 0;
}

/* The median slice: stalls and checkpoints are outside it. */
static void typical(const double *rates, size_t blocks, unsigned arms, struct xt_point_result *r)
{
	double *column = calloc(blocks + 1, sizeof(*column));

	for (unsigned a = 0; a < arms; a++) {
		for (size_t b = 0; column && b < blocks; b++)
			column[b] = rates[b * arms + a];
		r->arm[a].typical = column ? xt_stats_median(column, blocks) / r->statements_per_transaction : NAN;
	}
	free(column);
}

int xt_point_evaluate(const struct xt_point *point, const struct xt_ab *ab, struct xt_point_result *out,
                      struct xt_err *err)
{
	const struct xt_totals *t = &point->totals;
	unsigned arms = ab->plan.arms + 1;
	double *rates = calloc(point->slicing.slices.n + arms, sizeof(*rates));
	int rc;

	memset(out, 0, sizeof(*out));
	if (!rates)
		return xt_err_failed(err, "out of memory");
	out->statements_per_transaction = t->transactions ? (double)t->credited / (double)t->transactions : NAN;
	out->blocks = xt_point_rates(point, arms, rates, &out->dropped);
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
		out->calls_client[fn] = per_transaction(&point->client, fn, arms, t->transactions);
		out->calls[fn] = out->calls_client[fn];
		if (!ab->client_only)
			out->calls[fn] += per_transaction(&point->server, fn, arms, t->transactions);
	}
	xt_cost_of_pool(&point->cost, arms, out->cost);
	/* Callers that do nothing else queue up before a serialised source as no load does: its cost alone says more.
	 */
	for (unsigned a = 0; a < arms; a++)
		if (ab->plan.arm[a < ab->plan.arms ? a : 0].arm.serialised)
			memcpy(out->cost[a].ns, ab->alone[a].ns, sizeof(out->cost[a].ns));
	sum_arms(point, arms, out);
	for (unsigned a = 0; a < arms; a++)
		own_interval(rates, out->blocks, arms, a, &out->arm[a]);
	typical(rates, out->blocks, arms, out);
	rc = compare(point, ab, out, err);
	if (!rc && judge(point, ab, rates, out))
		rc = xt_err_failed(err, "out of memory");
	free(rates);
	return rc;
}

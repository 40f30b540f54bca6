/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pure half of the microbench: what batches amount to.
 */
#include "base/rng.h"
#include "lab/bench.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The largest k with P(X < k) <= 0.025 for X ~ Binomial(n, 1/2): the k-th smallest and the k-th largest of n values
 * enclose the median with 95 % at least. 0 for n < 6. */
static size_t median_rank(size_t n)
{
	double log_p = -(double)n * M_LN2, sum = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		sum += exp(log_p);
		if (sum > 0.025)
			break;
		log_p += log((double)(n - k)) - log((double)(k + 1));
	}
	return k;
}

void xt_bench_summarise(double *v, size_t n, struct xt_timing *out)
{
	size_t k = median_rank(n);

	out->batches = n;
	out->ns = out->lo = out->hi = NAN;
	if (!n)
		return;
	qsort(v, n, sizeof(*v), compare);
	out->ns = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
	if (!k)
		return;
	out->lo = v[k - 1];
	out->hi = v[n - k];
}

void xt_bench_note_step(uint64_t last, uint64_t now, struct xt_timing *out)
{
	double step;

	if (!last || now == last)
		return;
	if (now < last) {
		out->backward++;
		return;
	}
	step = (double)(now - last);
	if (isnan(out->resolution_ns) || step < out->resolution_ns)
		out->resolution_ns = step;
}

size_t xt_bench_scale(size_t calls, uint64_t took_ns, uint64_t target_ns)
{
	double n = (double)calls * (double)target_ns / (double)(took_ns ? took_ns : 1);

	return n < 1 ? 1 : (size_t)n;
}

void xt_bench_shuffle(uint64_t seed, uint64_t round, size_t *order, size_t n)
{
	struct xt_rng rng;

	xt_rng_init(&rng, seed, round, XT_RNG_LAB);
	for (size_t i = 0; i < n; i++) {
		size_t j = (size_t)xt_rng_range(&rng, 0, (int64_t)i);

		order[i] = order[j];
		order[j] = i;
	}
}

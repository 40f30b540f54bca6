/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random streams keyed by (seed, worker, purpose): switching one consumer on or off never moves another's draws.
 * xoshiro256** 1.0 (Blackman and Vigna, https://prng.di.unimi.it/), seeded through splitmix64. Not for secrets.
 * A stream belongs to one thread at a time.
 */
#ifndef XT_BASE_RNG_H
#define XT_BASE_RNG_H

#include <stdint.h>

enum xt_purpose {
	XT_RNG_SCRIPT,   /* what a script draws */
	XT_RNG_SCHEDULE, /* order of slices in a block */
	XT_RNG_RATE,     /* intended starts */
	XT_RNG_CHOICE,   /* which script of a mix */
	XT_RNG_THINK,
	XT_RNG_SAMPLE, /* sampled logs */
	XT_RNG_LAB,
	XT_RNG_TEST,
};

struct xt_rng {
	uint64_t s[4];
};

void xt_rng_init(struct xt_rng *rng, uint64_t seed, uint64_t worker, enum xt_purpose purpose);
uint64_t xt_rng_u64(struct xt_rng *rng);

/* Uniform in [0, 1), 53 bits. */
double xt_rng_unit(struct xt_rng *rng);

/* Uniform in lo..hi inclusive without bias; needs lo <= hi. */
int64_t xt_rng_range(struct xt_rng *rng, int64_t lo, int64_t hi);

/* Exponential with the given mean (same unit out as in). */
double xt_rng_exp(struct xt_rng *rng, double mean);

#endif

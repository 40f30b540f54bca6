/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xoshiro256** with splitmix64 seeding.
 */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = (*x += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void xt_rng_init(struct xt_rng *rng, uint64_t seed, uint64_t worker, enum xt_purpose purpose)
{
	uint64_t x = seed;

	/* Each key goes through the mixer, so that (1, 2) and (2, 1) are unrelated. */
	x = splitmix(&x) ^ worker;
	x = splitmix(&x) ^ (uint64_t)purpose;
	for (int i = 0; i < 4; i++)
		rng->s[i] = splitmix(&x);
}

uint64_t xt_rng_u64(struct xt_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

double xt_rng_unit(struct xt_rng *rng)
{
	return (double)(xt_rng_u64(rng) >> 11) * 0x1.0p-53;
}

/* High and low half of a product, for Lemire's bounded draw (arXiv:1805.10941): one division in 2^64/span draws. */
static uint64_t mul_high(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 m = (unsigned __int128)a * b;

	*low = (uint64_t)m;
	return (uint64_t)(m >> 64);
#else
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t mid = a1 * b0 + (a0 * b0 >> 32);
	uint64_t mid2 = a0 * b1 + (uint32_t)mid;

	*low = a * b;
	return a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

int64_t xt_rng_range(struct xt_rng *rng, int64_t lo, int64_t hi)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
	uint64_t low, high;

	if (span == 0)
		return (int64_t)xt_rng_u64(rng);
	high = mul_high(xt_rng_u64(rng), span, &low);
	if (low < span) {
		uint64_t floor = -span % span;

		while (low < floor)
			high = mul_high(xt_rng_u64(rng), span, &low);
	}
	return (int64_t)((uint64_t)lo + high);
}

double xt_rng_exp(struct xt_rng *rng, double mean)
{
	return -log1p(-xt_rng_unit(rng)) * mean;
}

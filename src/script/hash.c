/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FNV-1a and MurmurHash2 over the eight bytes of an integer, and a seeded bijection on 0..size-1: six rounds, each a
 * keyed mixing of the lower and the upper 2^k values (k as large as fits, so that the two overlap) and a rotation of
 * the whole range. Its keys come from xoroshiro128** seeded by splitmix64.
 */
#include "script/hash.h"

int64_t xt_hash_fnv1a(int64_t value, int64_t seed)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)seed;

	for (int i = 0; i < 64; i += 8)
		h = (h ^ (((uint64_t)value >> i) & 0xff)) * UINT64_C(0x100000001b3);
	return (int64_t)h;
}

int64_t xt_hash_murmur2(int64_t value, int64_t seed)
{
	const uint64_t m = UINT64_C(0xc6a4a7935bd1e995);
	uint64_t k = (uint64_t)value * m;
	uint64_t h = (uint64_t)seed ^ (sizeof(value) * m);

	h = (h ^ ((k ^ (k >> 47)) * m)) * m;
	h = (h ^ (h >> 47)) * m;
	return (int64_t)(h ^ (h >> 47));
}

struct keys {
	uint64_t a, b;
};

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static uint64_t next_key(struct keys *keys)
{
	uint64_t a = keys->a, x = keys->a ^ keys->b;

	keys->a = rotl(a, 24) ^ x ^ (x << 16);
	keys->b = rotl(x, 37);
	return rotl(a * 5, 7) * 9;
}

/* Uniform in 0..max, by rejection of the top bits. */
static uint64_t next_below(struct keys *keys, uint64_t max)
{
	int shift = max ? __builtin_clzll(max) : 0;
	uint64_t v;

	if (max == 0)
		return 0;
	do
		v = next_key(keys) >> shift;
	while (v > max);
	return v;
}

/* A bijection on 0..mask: odd multiplier, exclusive or, rotation by one bit. The two keys are drawn even when v is
 * outside, so that all values of a round see the same keys. */
static uint64_t mix(struct keys *keys, uint64_t v, uint64_t mask, int bits)
{
	uint64_t multiplier = (next_key(keys) & mask) | 1;
	uint64_t pattern = next_key(keys) & mask;

	if (v > mask)
		return v;
	v = ((v * multiplier) ^ pattern) & mask;
	return ((v << 1) & mask) | (v >> (bits - 1));
}

int64_t xt_hash_permute(int64_t value, int64_t size, int64_t seed)
{
	uint64_t n = (uint64_t)size, state = (uint64_t)seed, v, mask;
	struct keys keys;
	int bits;

	if (size < 2)
		return 0;
	keys.a = splitmix(&state);
	keys.b = splitmix(&state);
	v = (uint64_t)value % n;
	bits = 63 - __builtin_clzll(n);
	mask = (UINT64_C(1) << bits) - 1;
	for (int round = 0; round < 6; round++) {
		v = mix(&keys, v, mask, bits);
		v = n - 1 - mix(&keys, n - 1 - v, mask, bits);
		v = (v + next_below(&keys, n - 1)) % n;
	}
	return (int64_t)v;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hashes and permutations of integers with fixed results: scripts rely on the very values, which are pgbench's.
 */
#ifndef XT_SCRIPT_HASH_H
#define XT_SCRIPT_HASH_H

#include <stdint.h>

int64_t xt_hash_fnv1a(int64_t value, int64_t seed);
int64_t xt_hash_murmur2(int64_t value, int64_t seed);
/* Where value (modulo size) goes in the permutation of 0..size-1 that the seed names; size >= 1. */
int64_t xt_hash_permute(int64_t value, int64_t size, int64_t seed);

#endif

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# The independent calculation behind tests/unit/test_stats.c: brute force over all 2^n sign patterns (small n) or an
# integer count of subset sums (any n), every Walsh average written out and sorted. Standard library only.
# Run it to print the figures that the test holds.
from fractions import Fraction
from itertools import product
from math import exp, log
from random import Random


def quantile_brute(n):
    """Smallest k with P(T <= k) >= 0.025, from every pattern of signs."""
    tally = {}
    for signs in product((0, 1), repeat=n):
        t = sum(rank for rank, sign in enumerate(signs, 1) if sign)
        tally[t] = tally.get(t, 0) + 1
    below, k = 0, 0
    while True:
        below += tally.get(k, 0)
        if Fraction(below, 2**n) >= Fraction(25, 1000):
            return k
        k += 1


def quantile_count(n):
    """The same from exact integers: the number of subsets of 1..n with each sum."""
    ways = [1]
    for rank in range(1, n + 1):
        longer = ways + [0] * rank
        for s, w in enumerate(ways):
            longer[s + rank] += w
        ways = longer
    below, k = 0, 0
    while True:
        below += ways[k]
        if 40 * below >= 2**n:
            return k
        k += 1


def signed_rank(v):
    walsh = sorted((v[i] + v[j]) / 2 for i in range(len(v)) for j in range(i, len(v)))
    m = len(walsh)
    location = (walsh[(m - 1) // 2] + walsh[m // 2]) / 2
    if len(v) < 6:
        return location, None, None
    k = quantile_count(len(v))
    return location, walsh[k - 1], walsh[m - k]


def lag1(v):
    mean = sum(v) / len(v)
    return sum((a - mean) * (b - mean) for a, b in zip(v, v[1:])) / sum((a - mean) ** 2 for a in v)


def minimal_standard(seed):
    """Park and Miller's generator, so that C and Python see the same values."""
    while True:
        seed = seed * 16807 % 2147483647
        yield seed / 2147483647


def sample(seed, n, shift):
    draw = minimal_standard(seed)
    return [shift + 0.02 * (sum(next(draw) for _ in range(4)) - 2) for _ in range(n)]


if __name__ == "__main__":
    for n in (6, 7, 8, 10, 12, 15):
        assert quantile_brute(n) == quantile_count(n)
    print("quantiles", {n: quantile_count(n) for n in (6, 7, 8, 9, 10, 12, 15, 20, 25, 50, 100, 200, 201, 300, 400)})
    for seed, n, shift in ((1, 1, 0.05), (2, 5, 0.05), (3, 6, 0.05), (4, 7, 0.0), (5, 20, 0.06), (6, 101, -0.03),
                           (7, 200, 0.001), (8, 300, 0.01)):
        v = sample(seed, n, shift)
        location, lo, hi = signed_rank(v)
        print(f"{{{seed}, {n}, {shift}, {exp(location):.15g}, "
              + (f"{exp(lo):.15g}, {exp(hi):.15g}, " if lo is not None else "NAN, NAN, ")
              + (f"{lag1(v):.15g}}}," if n > 1 else "NAN},"))
    ramp = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    print("ramp", signed_rank(ramp), lag1(ramp))
    print("block", log(106.5 / 0.004) - log(100.5 / 0.005))

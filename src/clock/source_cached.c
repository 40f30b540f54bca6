/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cached: time() is one load of a second that a ticker keeps up to date (shim/ticker, in the harness). Every 1,024th
 * call of a thread compares it with the coarse clock, so that a ticker that died is found out: the value is dropped,
 * and readers take the coarse second until a ticker writes again.
 */
#include "clock/env.h"
#include "clock/source.h"

#define XT_UNUSED __attribute__((unused))

enum { CHECK_EVERY = 1024 };

/* Per thread, so that counting calls costs no shared write; down to a check, which the first call makes. */
static __thread int calls_left __attribute__((tls_model("initial-exec")));

/* The ticker and the kernel's tick need not change the second in the same instant: a value that is dropped for that
 * reason is written again at the ticker's next turn. */
static void drop_if_wrong(struct xt_clock_state *state)
{
	int64_t cached = atomic_load_explicit(&state->cached, memory_order_relaxed);
	time_t coarse = xt_clock.coarse_time(NULL);

	if (cached && (cached < coarse || cached > coarse + 1))
		atomic_compare_exchange_strong(&state->cached, &cached, 0);
}

/* The rare call: a check is due, or the value was dropped. */
static time_t __attribute__((noinline, cold)) cached_slowly(time_t *out, struct xt_clock_state *state)
{
	time_t sec;

	if (calls_left < 0) {
		calls_left = CHECK_EVERY - 1;
		drop_if_wrong(state);
	}
	sec = (time_t)atomic_load_explicit(&state->cached, memory_order_acquire);
	if (!sec)
		sec = xt_clock.coarse_time(NULL);
	if (out)
		*out = sec;
	return sec;
}

/* Kept to what needs no stack frame: this is to be the cheapest source. */
time_t xt_cached_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	time_t sec;

	if (__builtin_expect(--calls_left < 0, 0))
		return cached_slowly(out, state);
	sec = (time_t)atomic_load_explicit(&state->cached, memory_order_acquire);
	if (__builtin_expect(!sec, 0))
		return cached_slowly(out, state);
	if (out)
		*out = sec;
	return sec;
}

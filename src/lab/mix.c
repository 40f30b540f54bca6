/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coherence under one arm: puts the arm under the process through the control page, then lets the engine read.
 */
#include "lab/coherence.h"

#include <errno.h>
#include <string.h>

unsigned xt_lab_swap_of(const struct xt_arm *arm)
{
	static const unsigned bits[] = {XT_SWAP_TIME, XT_SWAP_GETTIMEOFDAY, XT_SWAP_CLOCK_GETTIME};
	unsigned swap = 0;

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (xt_arm_fits(arm, bits[i]) == XT_ARM_OK)
			swap |= bits[i];
	return swap;
}

int xt_lab_use_arm(struct xt_page *page, const struct xt_arm *arm, const char *plugin, unsigned swap,
                   struct xt_err *err)
{
	if (xt_page_set_arm(page, 0, arm, plugin))
		return xt_err_failed(err, "the control page does not take this implementation: %s", strerror(errno));
	xt_page_set_swap(page, swap);
	xt_page_flip(page, 0, 0);
	return 0;
}

int xt_lab_coherence_mix(struct xt_page *page, const struct xt_arm *arm, unsigned threads, uint64_t duration_ns,
                         struct xt_mix *out, struct xt_err *err)
{
	struct xt_coherence_setup setup = {
		.readings = 1u << XT_READ_TIME | 1u << XT_READ_GETTIMEOFDAY,
		.scope = XT_SCOPE_THREADS,
		.workers = threads,
		.duration_ns = duration_ns,
	};
	uint64_t tick = xt_coarse_tick_ns();
	struct xt_coherence seen;
	const struct xt_cell *behind = &seen.cell[XT_READ_GETTIMEOFDAY][XT_READ_TIME];

	if (xt_lab_use_arm(page, arm, NULL, xt_lab_swap_of(arm), err))
		return -1;
	xt_coherence_tolerances(tick, 0, setup.tolerance_ns);
	if (xt_coherence_run(&setup, &seen, err))
		return -1;
	*out = (struct xt_mix){
		.pairs = behind->reads,
		.violations = behind->violations,
		.boundaries = seen.boundaries,
		.max_lag_ms = (double)behind->max_lag_ns / 1e6,
		.tick_ms = (double)tick / 1e6,
	};
	for (int f = 0; f < XT_READINGS; f++)
		for (int s = 0; s < XT_READINGS; s++)
			out->backward_steps += seen.cell[f][s].backward;
	return 0;
}

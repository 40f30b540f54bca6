/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entering the shim.
 */
#include "cli/impl.h"

#include "cli/self.h"
#include "clock/ready.h"
#include "lab/conform.h"
#include "shim/ticker.h"

#include <limits.h>
#include <string.h>

int xt_impl_restart(char **argv, const char *const *plugins, struct xt_page **page, struct xt_err *err)
{
	struct xt_err found = {0};

	*page = xt_self_page(&found);
	if (*page)
		return 0;
	if (found.kind != XT_ERR_NONE) {
		*err = found;
		return -1;
	}
	xt_self_restart_with(argv, plugins, err);
	return -1;
}

int xt_impl_check_plugins(const char *const *plugins, struct xt_err *err)
{
	if (xt_self_page_fd() >= 0)
		return 0;
	for (; *plugins; plugins++)
		if (xt_lab_conform(*plugins, err))
			return xt_err_context(err, "arm 'plugin:%s'", *plugins);
	return 0;
}

int xt_impl_start_ticker(struct xt_page *page, struct xt_err *err)
{
	struct xt_ticker *ticker;

	/* Runs for as long as the process does: the page is never unmapped. */
	if (xt_ticker_start(&ticker, page))
		return xt_err_failed(err, "cannot start the ticker of cached: %m");
	return 0;
}

int xt_impl_enter(const char *impl, const char *swap, char **argv, struct xt_page **page, struct xt_err *err)
{
	const char *plugins[2] = {NULL, NULL};
	char plugin[PATH_MAX];
	struct xt_ready ready;
	struct xt_arm arm;
	struct xt_page *own;
	unsigned set;
	size_t bad_at;
	enum xt_arm_bad bad = xt_arm_parse(impl, strlen(impl), &arm, plugin, sizeof(plugin));

	if (!swap)
		swap = "time";
	if (xt_swap_parse(swap, strlen(swap), &set, &bad_at))
		return xt_err_usage(
			err,
			"--swap: '%s' is not a function that can be swapped: time, gettimeofday, clock_gettime and "
			"monotonic are allowed, separated by commas",
			swap + bad_at);
	ready = (struct xt_ready){&arm, set, plugin, sizeof(plugin), ""};
	if (bad != XT_ARM_OK || xt_arm_ready(&ready))
		return xt_err_usage(err, "--impl: arm '%s': %s (see xtime list implementations)", impl,
		                    bad != XT_ARM_OK ? xt_arm_bad_text(bad) : ready.reason);
	plugins[0] = arm.source == XT_SOURCE_PLUGIN ? plugin : NULL;
	if (xt_impl_restart(argv, plugins, &own, err))
		return -1;
	if (arm.source == XT_SOURCE_CACHED && xt_impl_start_ticker(own, err))
		return -1;
	if (xt_page_set_arm(own, 0, &arm, plugin))
		return xt_err_failed(err, "--impl: cannot set arm '%s' in the control page: %m", impl);
	xt_page_set_swap(own, set);
	xt_page_flip(own, 0, 0);
	if (page)
		*page = own;
	return 0;
}

bool xt_impl_uses(const char *impl, enum xt_source_id source)
{
	char plugin[PATH_MAX];
	struct xt_arm arm;

	return xt_arm_parse(impl, strlen(impl), &arm, plugin, sizeof(plugin)) == XT_ARM_OK && arm.source == source;
}

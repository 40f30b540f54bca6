/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of an arm that need more than its text.
 */
#include "clock/ready.h"

#include "clock/plugin.h"
#include "clock/tsc.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static int refuse(struct xt_ready *ready, const char *why, const char *detail)
{
	size_t len = strlen(why), cap = sizeof(ready->reason) - 1;

	memcpy(ready->reason, why, len < cap ? len : cap);
	ready->reason[len < cap ? len : cap] = '\0';
	if (detail)
		strncat(ready->reason, detail, cap - strlen(ready->reason));
	return -1;
}

static int check_plugin(struct xt_ready *ready)
{
	struct xt_plugin plugin;
	char path[PATH_MAX], why[400];

	if (xt_plugin_resolve(ready->plugin, path, sizeof(path)) || strlen(path) >= ready->plugin_cap)
		return refuse(ready, "cannot be used: ", strerror(errno));
	strcpy(ready->plugin, path);
	if (xt_plugin_open(path, &plugin, why, sizeof(why)))
		return refuse(ready, "cannot be used: ", why);
	if ((ready->swap & XT_SWAP_GETTIMEOFDAY) && !plugin.gettimeofday)
		return refuse(ready, "has no SYMBOL_gettimeofday and cannot stand in for gettimeofday", NULL);
	if ((ready->swap & (XT_SWAP_CLOCK_GETTIME | XT_SWAP_MONOTONIC)) && !plugin.clock_gettime)
		return refuse(ready, "has no SYMBOL_clock_gettime and cannot stand in for clock_gettime", NULL);
	return 0;
}

int xt_arm_ready(struct xt_ready *ready)
{
	enum xt_arm_bad bad = xt_arm_fits(ready->arm, ready->swap);
	const char *refusal;

	ready->reason[0] = '\0';
	if (bad)
		return refuse(ready, xt_arm_bad_text(bad), NULL);
	if (ready->arm->source == XT_SOURCE_PLUGIN)
		return check_plugin(ready);
	if (ready->arm->source != XT_SOURCE_TSC)
		return 0;
	refusal = xt_tsc_refusal();
	return refusal ? refuse(ready, refusal, NULL) : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plugin: the user's functions. What a plugin lacks, or a process that could not open it, is libc's, counted as a
 * fallback where it was asked for. The table of slots is writable because the shim fills it in its constructor.
 */
#include "clock/env.h"
#include "clock/plugin.h"
#include "clock/source.h"

struct xt_plugin xt_plugins[XT_PLUGINS];

static const struct xt_plugin *plugin_of(const struct xt_arm *arm)
{
	return &xt_plugins[arm->plugin % XT_PLUGINS];
}

static void count_fallback(struct xt_clock_state *state)
{
	atomic_fetch_add_explicit(&state->fallbacks, 1, memory_order_relaxed);
}

time_t xt_plugin_time(time_t *out, const struct xt_arm *arm, struct xt_clock_state *state)
{
	const struct xt_plugin *plugin = plugin_of(arm);

	if (plugin->time)
		return plugin->time(out);
	count_fallback(state);
	return xt_clock.libc.time(out);
}

int xt_plugin_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm, struct xt_clock_state *state)
{
	const struct xt_plugin *plugin = plugin_of(arm);

	if (plugin->gettimeofday)
		return plugin->gettimeofday(tv, tz);
	count_fallback(state);
	return xt_clock.libc.gettimeofday(tv, tz);
}

int xt_plugin_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm, struct xt_clock_state *state)
{
	const struct xt_plugin *plugin = plugin_of(arm);

	if (plugin->clock_gettime)
		return plugin->clock_gettime(id, t);
	count_fallback(state);
	return xt_clock.libc.clock_gettime(id, t);
}

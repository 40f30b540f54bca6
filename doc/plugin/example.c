/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An example of a plugin: the coarse clock's second, in a few lines. It has time() alone, so it can serve --swap=time.
 */
#include "xtime_plugin.h"

time_t xtime_plugin(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

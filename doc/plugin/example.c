/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An example of a plugin: seconds kept per thread and looked up anew every sixteenth call. Cheap, and wrong by up to
 * fifteen calls, which xtime's checks will tell of it.
 */
#include "xtime_plugin.h"

enum { KEEP_CALLS = 16 };

static __thread time_t kept __attribute__((tls_model("initial-exec")));
static __thread unsigned calls __attribute__((tls_model("initial-exec")));

time_t xtime_plugin(time_t *out)
{
	if (calls++ % KEEP_CALLS == 0) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME_COARSE, &t);
		kept = t.tv_sec;
	}
	if (out)
		*out = kept;
	return kept;
}

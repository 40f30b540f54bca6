/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of time() through the dynamic symbol, so that a preload is met as a server would meet it.
 */
#include "engine/clockcall.h"

#include <time.h>

int64_t xt_clockcall_time(int64_t n)
{
	time_t last = 0;

	while (n-- > 0)
		last = time(NULL);
	return (int64_t)last;
}

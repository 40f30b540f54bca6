/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls time() from inside a library.
 */
#include <time.h>

void deep_calls(int calls);

void deep_calls(int calls)
{
	while (calls--)
		time(NULL);
}

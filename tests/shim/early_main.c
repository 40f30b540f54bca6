/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Says what the early library saw: exit status 0 when all of its readings were right.
 */
#include <stdio.h>

extern int early_errors, early_calls;

int main(void)
{
	if (early_errors || early_calls != 5)
		printf("%d of %d early readings were wrong\n", early_errors, early_calls);
	return early_errors || early_calls != 5;
}

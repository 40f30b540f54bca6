/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names to commands, errors to exit codes; nothing else.
 */
#include "base/mono.h"

int main(void)
{
	xt_mono_init();
	return 0;
}

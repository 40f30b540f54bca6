/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of declared options that need the whole file.
 */
#ifndef XT_SCRIPT_OPTION_H
#define XT_SCRIPT_OPTION_H

#include "script/compile.h"

/* At a file's end: a default of one word presets choices that must have been declared. */
int xt_option_check(struct xt_compiler *compiler, struct xt_file *file);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open files: asked for before threads start, so that a run with very many connections fails at once and says why.
 */
#ifndef XT_DRIVER_FILES_H
#define XT_DRIVER_FILES_H

#include "base/err.h"

/* Sees to it that this process may have each descriptors for each of threads connections, beside its own: raises the
 * soft limit as far as the hard one allows. USAGE naming both figures when that is not enough. */
int xt_files_reserve(unsigned threads, unsigned each, struct xt_err *err);

#endif

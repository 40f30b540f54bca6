/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The published figures of 2018 and 2019 beside those of a clocks record: its field `references`, a list of series
 * {name, rows}, from which tables with both columns are made.
 */
#ifndef XT_REPRODUCE_CLOCKREFS_H
#define XT_REPRODUCE_CLOCKREFS_H

#include <jansson.h>

/* Series "2018-06": rows [{call, path, published_ns, ns}]. -1: out of memory. */
int xt_references_2018(json_t *clocks);

/* Series "2019-06": rows [{call, published_before_ns, published_after_ns, before_ns, after_ns}], "before" and "after"
 * as in xt_2019_before() and xt_2019_after(); compared: whether an old record was given. */
int xt_references_2019(json_t *clocks, const json_t *old);

#endif

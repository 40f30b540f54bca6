/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several fresh processes' records of one A/B, made one: layout and address space differ between processes, and only
 * their spread shows it. Pure functions on records.
 */
#ifndef XT_AB_RUNS_H
#define XT_AB_RUNS_H

#include <jansson.h>

/* records: an array of xtime.ab/1 records of the same command line. A new record: the first one's head, per point sums
 * of what is counted, means of what is a rate, and comparisons by Student's t on the runs' log ratios (each
 * comparison's `runs` lists the ratios). NULL when there is no record or no memory. */
json_t *xt_runs_merge(const json_t *records);

#endif

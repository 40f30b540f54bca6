/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps the second of `cached` up to date in a state of our own, as the shim's ticker does in the control page: for
 * rows that call src/clock directly.
 */
#ifndef XT_LAB_REFRESHER_H
#define XT_LAB_REFRESHER_H

struct xt_clock_state;
struct xt_refresher;

/* Starts the thread; it takes no signals. NULL when it cannot be started. */
struct xt_refresher *xt_refresher_start(struct xt_clock_state *state);
void xt_refresher_stop(struct xt_refresher *refresher); /* NULL is allowed */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread that keeps `cached` up to date: harness side, one per page. All functions: 0, or -1 with errno set.
 */
#ifndef XT_SHIM_TICKER_H
#define XT_SHIM_TICKER_H

#include "shim/page.h"

#include <stdint.h>

struct xt_ticker;

/* Starts the ticker; the page's value is right when this returns. The thread takes no signals. The page must stay
 * mapped until xt_ticker_stop(). */
int xt_ticker_start(struct xt_ticker **out, struct xt_page *page);
void xt_ticker_stop(struct xt_ticker *ticker); /* NULL is allowed */

/* How often it looks at the clock, and how old a value is at most while the ticker gets a CPU: two such periods. */
uint64_t xt_ticker_period_ns(void);
uint64_t xt_ticker_staleness_ns(void);

#endif

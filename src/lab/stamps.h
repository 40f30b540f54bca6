/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * File stamps and the coarse clock behind them: what a write costs alone and after a stat, how many different mtimes
 * come of it, how far a stamp lags behind the fine clock, and how the coarse clock steps. Files are unnamed and gone
 * when the call returns.
 */
#ifndef XT_LAB_STAMPS_H
#define XT_LAB_STAMPS_H

#include "base/err.h"
#include "lab/bench.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xt_stamps {
	char filesystem[24];                    /* "tmpfs", "ext4"; "unknown" */
	bool local;                             /* a file system whose stamps this kernel makes */
	struct xt_timing pwrite, fstat, both;   /* one byte; the stat; the write after a stat and the stat after it */
	double surcharge_ns, surcharge_percent; /* both - pwrite - fstat, and in per cent of pwrite */
	uint64_t writes, distinct;              /* write-and-stat pairs, and different mtimes among them */
	double ticks;                           /* of the coarse clock while these ran */
	uint64_t older;                         /* mtimes behind a fine reading made before the write */
	uint64_t max_lag_ns;                    /* and by how much at most */
	uint64_t backward;                      /* mtimes behind the one before */
	uint64_t wrong;                         /* mtimes behind the coarse clock before the write by over a tick */
};

/* Whether the stamps come from the fine clock after a stat (multigrain stamps, since Linux 6.13): more different mtimes
 * than the coarse clock has ticks. */
bool xt_stamps_multigrain(const struct xt_stamps *stamps);

/* Measures in folder (NULL: tmpfs) for about duration_ns. USAGE when no file can be made there. */
int xt_stamps_measure(const char *folder, uint64_t duration_ns, uint64_t seed, struct xt_stamps *out,
                      struct xt_err *err);

struct xt_coarse_steps {
	double hz;           /* 1 / clock_getres(CLOCK_REALTIME_COARSE) */
	double per_second;   /* different values per second, from the steps of the value; NAN when too few were seen */
	unsigned steps;      /* seen in all */
	unsigned min_zeros;  /* decimal zeros at the end of tv_nsec: the fewest, 0 to 9 */
	uint64_t max_lag_ns; /* largest distance to the fine clock */
};
/* Watches CLOCK_REALTIME_COARSE through the vDSO for duration_ns, spinning. */
void xt_coarse_watch(uint64_t duration_ns, struct xt_coarse_steps *out);

/* Values per second from the steps between different values seen in turn (ns; sorted by the call). A watcher that lost
 * its CPU saw some steps together, so only those near the smallest count. NAN for fewer than 3. */
double xt_coarse_rate(double *step_ns, size_t n);

/* Decimal zeros at the end of a number of ns below a second: 0 has 9. */
unsigned xt_trailing_zeros(long nsec);

#endif

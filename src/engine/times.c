/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which commands of a script are timed when each is asked for. A statement always is: the ruler is read when it ends,
 * and before it begins where anything ran since the last reading. Reading around everything else too would cost more
 * than is promised, 2 readings a transaction and 2 more a statement, and would cost most beside commands that take no
 * longer than the reading. So the others are timed one by one in some transactions only: the first one of a script, and
 * then whenever the readings that others left of what is promised have added up to what such a transaction takes beyond
 * it. Their figures are readings like all others, of a sample; the count of runs and of readings tell. One that lies
 * alone between two statements has both of its ends read anyway, and the end of the last command is the transaction's.
 */
#include "engine/worker.h"

#include "base/mono.h"

enum { PER_TRANSACTION = 2, PER_STATEMENT = 2 };

/* The last pass is over, and what went before this one: what they left, or took beyond. */
static void account(struct xt_times *t, uint64_t readings)
{
	int64_t left = PER_TRANSACTION + PER_STATEMENT * (int64_t)t->statements - (int64_t)readings;

	t->in_hand += left;
	if (-left > t->reserve)
		t->reserve = -left;
}

void xt_times_begin(struct xt_worker *w, uint64_t begin_ns)
{
	struct xt_times *t = &w->times;

	if (t->measured) {
		account(t, 1 + w->ruler_reads - t->readings); /* one is counted with the transaction */
		t->readings = w->ruler_reads;
	}
	t->moment_ns = begin_ns;
	t->ran = NULL;
	t->ahead = false;
	t->measured = w->row && xt_worker_measures(w);
	/* Nothing of a script shall be without a figure because the run is short. One is kept in hand: a worker under a
	 * rate reads once more when it has no transaction left. */
	t->each = t->measured && (!w->row->count || t->in_hand > t->reserve);
	t->statements = 0;
}

/* What went by since the last reading is the command's, NULL: nobody's. */
static void read_ruler(struct xt_worker *w, struct xt_command_sum *row)
{
	struct xt_times *t = &w->times;
	uint64_t now = xt_mono_ns();

	t->counted = xt_worker_measures(w);
	w->ruler_reads += t->counted;
	if (row && t->counted)
		xt_hist_add(&row->latency, now - t->moment_ns);
	t->moment_ns = now;
	t->ran = NULL;
	t->ahead = false;
}

void xt_times_before(struct xt_worker *w, const struct xt_command *command)
{
	if (w->times.ahead && (w->times.each || command->op == XT_OP_SQL))
		read_ruler(w, w->times.ran);
}

void xt_times_after(struct xt_worker *w, const struct xt_command *command, struct xt_command_sum *row)
{
	struct xt_times *t = &w->times;

	t->statements += command->op == XT_OP_SQL;
	if (t->each || command->op == XT_OP_SQL) {
		read_ruler(w, row);
		row->count += t->counted;
		return;
	}
	row->count += xt_worker_measures(w);
	t->ran = t->ahead ? NULL : row;
	t->ahead = true;
}

void xt_times_pass_over(struct xt_worker *w)
{
	w->times.ran = NULL;
	w->times.ahead = true;
}

uint64_t xt_times_end(struct xt_worker *w, bool done)
{
	struct xt_times *t = &w->times;

	if (!done || t->ahead)
		read_ruler(w, done ? t->ran : NULL);
	w->ruler_reads -= t->counted; /* it is counted with the transaction */
	return t->moment_ns;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lab results to JSON. Figures that are absent are null.
 */
#include "lab/record.h"

#include "record/record.h"

#include <math.h>

/* The array under key, made when it is not there yet; borrowed. */
static json_t *array_of(json_t *record, const char *key)
{
	if (!json_object_get(record, key))
		json_object_set_new(record, key, json_array());
	return json_object_get(record, key);
}

static json_t *interval(double lo, double hi)
{
	return isnan(lo) || isnan(hi) ? json_null() : json_pack("[o, o]", xt_json_number(lo), xt_json_number(hi));
}

static json_t *clock_row(const struct xt_clocks *clocks, size_t i)
{
	const struct xt_call *call = &clocks->calls.v[i];
	const struct xt_timing *t = &clocks->timing[i];
	double net = t->ns - clocks->empty_ns;
	json_t *source = call->path == XT_PATH_SHIM ? json_string(call->source) : json_null();
	bool is_arm = call->path == XT_PATH_SHIM && !call->op;
	json_t *wrong = is_arm && clocks->wrong ? json_string(clocks->wrong) : json_null();
	json_t *ns = json_null(), *ci95 = json_null(), *ns_net = json_null(), *resolution = json_null();

	if (call->available) {
		ns = xt_json_number(t->ns);
		ci95 = interval(t->lo, t->hi);
		ns_net = xt_json_number(net);
		resolution = xt_json_number(t->resolution_ns);
	}
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:I, s:I, s:o}", "call", call->name, "source",
	                 source, "path", xt_path_name(call->path), "ns", ns, "ci95", ci95, "ns_net", ns_net,
	                 "resolution_ns", resolution, "available", call->available, "entries_per_call",
	                 xt_json_number(clocks->entries[i]), "backward_steps", (json_int_t)t->backward, "batches",
	                 (json_int_t)t->batches, "wrong", wrong);
}

int xt_clocks_to_record(const struct xt_clocks *clocks, json_t *record)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < clocks->calls.n; i++)
		json_array_append_new(rows, clock_row(clocks, i));
	if (json_object_set_new(record, "threads", json_integer((json_int_t)clocks->threads)) ||
	    json_object_set_new(record, "counter_hz", xt_json_number(clocks->counter_hz)) ||
	    json_object_set_new(record, "refused", json_boolean(clocks->refused)) ||
	    json_object_set_new(record, "rows", rows))
		return -1;
	return json_array_size(rows) == clocks->calls.n ? 0 : -1;
}

static json_t *timing(const struct xt_timing *t)
{
	return json_pack("{s:o, s:o}", "ns", xt_json_number(t->ns), "ci95", interval(t->lo, t->hi));
}

int xt_stamps_to_record(const struct xt_stamps *stamps, const char *folder, json_t *record)
{
	json_t *list = array_of(record, "file_stamps");

	return json_array_append_new(
		list,
		json_pack("{s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:b, s:I, s:o, s:I, s:I}", "folder",
	                  folder ? json_string(folder) : json_null(), "filesystem", stamps->filesystem, "local",
	                  stamps->local, "pwrite", timing(&stamps->pwrite), "fstat", timing(&stamps->fstat),
	                  "pwrite_fstat", timing(&stamps->both), "surcharge_ns", xt_json_number(stamps->surcharge_ns),
	                  "surcharge_percent", xt_json_number(stamps->surcharge_percent), "writes",
	                  (json_int_t)stamps->writes, "distinct_mtimes", (json_int_t)stamps->distinct, "ticks",
	                  xt_json_number(stamps->ticks), "multigrain", xt_stamps_multigrain(stamps), "older",
	                  (json_int_t)stamps->older, "max_lag_ms", xt_json_number((double)stamps->max_lag_ns / 1e6),
	                  "backward_steps", (json_int_t)stamps->backward, "wrong", (json_int_t)stamps->wrong));
}

int xt_coarse_to_record(const struct xt_coarse_steps *steps, json_t *record)
{
	return json_object_set_new(record, "coarse",
	                           json_pack("{s:o, s:o, s:i, s:i, s:o}", "hz", xt_json_number(steps->hz), "per_second",
	                                     xt_json_number(steps->per_second), "steps", (int)steps->steps, "min_zeros",
	                                     (int)steps->min_zeros, "max_lag_ms",
	                                     xt_json_number((double)steps->max_lag_ns / 1e6)));
}

int xt_checks_to_record(const struct xt_checks *checks, json_t *record)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < checks->n; i++) {
		const struct xt_check *c = &checks->v[i];

		json_array_append_new(rows,
		                      json_pack("{s:s, s:o, s:s, s:s, s:I, s:I, s:s}", "call", c->call, "source",
		                                *c->source ? json_string(c->source) : json_null(), "path",
		                                xt_path_name(c->path), "check", c->check, "tried", (json_int_t)c->tried,
		                                "failures", (json_int_t)c->failures, "detail", c->detail));
	}
	if (json_object_set_new(record, "rows", rows))
		return -1;
	return json_array_size(rows) == checks->n ? 0 : -1;
}

/* One pair of readings, without the implementation and the scope that the rows of one run share. */
static json_t *pair_row(const struct xt_coherence *seen, enum xt_reading first, enum xt_reading second)
{
	const struct xt_cell *cell = &seen->cell[first][second];

	return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:I, s:b}", "first", xt_reading_name(first), "second",
	                 xt_reading_name(second), "reads", (json_int_t)cell->reads, "boundaries",
	                 (json_int_t)seen->boundaries, "violations", (json_int_t)cell->violations, "max_lag_ms",
	                 xt_json_number((double)cell->max_lag_ns / 1e6), "backward_steps", (json_int_t)cell->backward,
	                 "info", second == XT_READ_COARSE);
}

static int differences_to_record(const struct xt_coherence *seen, const char *implementation, json_t *list)
{
	for (int s = 0; s < XT_READINGS; s++) {
		json_t *counts = json_array();
		int last = 64;

		while (last >= 0 && !seen->differences[s][last])
			last--;
		for (int i = 0; i <= last; i++)
			json_array_append_new(counts, json_integer((json_int_t)seen->differences[s][i]));
		if (json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "implementation", implementation, "call",
		                                          xt_reading_name((enum xt_reading)s), "log2_ns", counts)))
			return -1;
	}
	return 0;
}

int xt_coherence_to_record(const struct xt_coherence *seen, const char *implementation, enum xt_scope scope,
                           json_t *record)
{
	json_t *rows = array_of(record, "rows"), *differences = array_of(record, "differences");

	for (int f = 0; f < XT_READINGS; f++)
		for (int s = 0; s < XT_READINGS; s++) {
			json_t *row = pair_row(seen, (enum xt_reading)f, (enum xt_reading)s);

			json_object_set_new(row, "implementation", json_string(implementation));
			json_object_set_new(row, "scope", json_string(xt_scope_name(scope)));
			if (json_array_append_new(rows, row))
				return -1;
		}
	return scope == XT_SCOPE_THREAD ? differences_to_record(seen, implementation, differences) : 0;
}

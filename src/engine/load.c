/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * \load: rows computed by expressions, handed to the driver's bulk path.
 */
#include "engine/worker.h"

enum { MAX_COLUMNS = 256, STOP_CHECK_ROWS = 256 };

static int one_row(struct xt_worker *w, const struct xt_load *load, int64_t row, struct xt_value *values)
{
	struct xt_value number = xt_int(row);

	if (xt_env_set(w->env, load->row_slot, &number))
		return xt_err_failed(&w->err, "out of memory");
	for (size_t i = 0; i < load->column_count; i++)
		if (xt_expr_eval(load->values[i], w->env, &values[i], &w->err))
			return xt_err_context(&w->err, "column %s of row %lld", load->columns[i], (long long)row);
	return w->shared->engine->driver->load_row(w->conn, values, &w->err);
}

static enum xt_outcome rows_of(struct xt_worker *w, const struct xt_load *load, int64_t rows)
{
	struct xt_value values[MAX_COLUMNS];

	for (int64_t row = 1; row <= rows; row++) {
		if (row % STOP_CHECK_ROWS == 0 && atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
			return XT_STOPPED;
		if (one_row(w, load, row, values))
			return XT_BROKEN;
	}
	return XT_DONE;
}

enum xt_outcome xt_exec_load(struct xt_worker *w, const struct xt_command *command)
{
	const struct xt_load *load = command->load;
	const struct xt_driver *driver = w->shared->engine->driver;
	enum xt_outcome outcome;
	int64_t rows;

	if (load->column_count > MAX_COLUMNS) {
		xt_err_failed(&w->err, "\\load has %zu columns: at most %d are allowed", load->column_count,
		              MAX_COLUMNS);
		return XT_BROKEN;
	}
	if (xt_expr_eval_count(load->rows, w->env, &rows, &w->err))
		return XT_BROKEN;
	xt_buf_reset(&w->text);
	if (xt_sql_render(load->table, load->table_part_count, w->env, false, &w->text, &w->err))
		return XT_BROKEN;
	if (driver->load_begin(w->conn, w->text.data, load->columns, load->column_count, &w->err))
		return XT_BROKEN;
	outcome = rows_of(w, load, rows);
	if (outcome != XT_DONE) {
		driver->load_abort(w->conn);
		return outcome;
	}
	return driver->load_end(w->conn, &w->err) ? XT_BROKEN : XT_DONE;
}

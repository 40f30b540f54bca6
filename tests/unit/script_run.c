/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The executor of the script tests.
 */
#include "script_run.h"

static int run_load(const struct xt_load *load, struct xt_env *env, struct script_run *run, struct xt_err *err)
{
	int64_t rows;

	if (xt_expr_eval_count(load->rows, env, &rows, err))
		return -1;
	for (int64_t row = 1; row <= rows && row <= 100; row++) {
		struct xt_value value = xt_int(row);

		if (xt_env_set(env, load->row_slot, &value))
			return xt_err_failed(err, "out of memory");
		for (size_t i = 0; i < load->column_count; i++)
			if (xt_expr_eval(load->values[i], env, &value, err))
				return -1;
	}
	run->rows += rows;
	return 0;
}

static int run_sql(const struct xt_command *command, struct xt_env *env, struct script_run *run, struct xt_err *err)
{
	struct xt_buf text = {0};
	int rc = xt_sql_render(command->sql.parts, command->sql.part_count, env, true, &text, err);

	if (!rc && run->statement)
		run->statement(run->ctx, command, text.data, text.len);
	xt_buf_free(&text);
	return rc;
}

/* Executes one command; *next is where to go on. */
static int step(const struct xt_command *command, struct xt_env *env, struct script_run *run, uint32_t *next,
                struct xt_err *err)
{
	struct xt_value value;
	int64_t count;
	double number;
	bool truth;

	switch (command->op) {
	case XT_OP_SQL:
		return run_sql(command, env, run, err);
	case XT_OP_SET:
		if (xt_expr_eval(command->expr, env, &value, err))
			return -1;
		return xt_env_set(env, command->slot, &value);
	case XT_OP_JUMP_UNLESS:
		if (xt_expr_eval_bool(command->expr, env, &truth, err))
			return -1;
		if (!truth)
			*next = command->target;
		return 0;
	case XT_OP_JUMP:
		*next = command->target;
		return 0;
	case XT_OP_REPEAT:
		if (xt_expr_eval_count(command->expr, env, xt_env_counter(env, command->depth), err))
			return -1;
		if (*xt_env_counter(env, command->depth) <= 0)
			*next = command->target;
		return 0;
	case XT_OP_ENDREPEAT:
		if (--*xt_env_counter(env, command->depth) > 0)
			*next = command->target;
		return 0;
	case XT_OP_TIME:
		if (xt_expr_eval_count(command->expr, env, &count, err))
			return -1;
		run->time_calls += count;
		return 0;
	case XT_OP_SLEEP:
		return xt_expr_eval_count(command->expr, env, &count, err);
	case XT_OP_CHECK:
		return xt_command_check(command, env, err);
	case XT_OP_FIGURE:
		return xt_expr_eval_double(command->expr, env, &number, &truth, err);
	case XT_OP_LOAD:
		return run_load(command->load, env, run, err);
	default:
		return 0;
	}
}

int script_run(const struct xt_code *code, struct xt_env *env, struct script_run *run, struct xt_err *err)
{
	for (uint32_t at = 0; at < code->count;) {
		const struct xt_command *command = &code->commands[at++];

		if (run->limit && ++run->steps > run->limit)
			return xt_err_failed(err, "too many steps");
		if (step(command, env, run, &at, err))
			return xt_err_context(err, "%s:%d:%d", command->file, command->line, command->column);
	}
	return 0;
}

struct xt_env_options script_env_options(void)
{
	return (struct xt_env_options){
		.seed = 1,
		.threads = 1,
		.is_sqlite = true,
		.rand = {.type = XT_DIST_UNIFORM,
	                 .spec_iter = 12,
	                 .spec_pct = 1,
	                 .spec_res = 75,
	                 .pareto_h = 0.2,
	                 .zipfian_exp = 0.8},
	};
}

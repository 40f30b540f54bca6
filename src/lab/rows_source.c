/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the shim's sources: the functions of src/clock, called as the shim calls them.
 */
#include "clock/source.h"
#include "lab/rows.h"

#include <stdio.h>

/* The function of src/clock that the arm's route leads to. */
static void use_op(struct xt_call *call, enum xt_function function)
{
	unsigned route = xt_route_of(call->arm, xt_function_swap(function), function);

	call->op = true;
	switch (function) {
	case XT_FN_TIME:
		call->fn.op_time = xt_route_time(route);
		call->batch = xt_batch_op_time;
		call->value = xt_value_op_time;
		break;
	case XT_FN_GETTIMEOFDAY:
		call->fn.op_gettimeofday = xt_route_gettimeofday(route);
		call->batch = xt_batch_op_gettimeofday;
		call->value = xt_value_op_gettimeofday;
		break;
	default:
		call->fn.op_clock = xt_route_clock_gettime(route);
		call->batch = xt_batch_op_clock;
		call->value = xt_value_op_clock;
		break;
	}
}

/* The function that this program is linked with, which is the shim's when the process is under it. */
static void use_linked(struct xt_call *call, enum xt_function function)
{
	switch (function) {
	case XT_FN_TIME:
		call->fn.time = time;
		call->batch = xt_batch_time;
		call->value = xt_value_time;
		break;
	case XT_FN_GETTIMEOFDAY:
		call->fn.gettimeofday = gettimeofday;
		call->batch = xt_batch_gettimeofday;
		call->value = xt_value_gettimeofday;
		break;
	default:
		call->fn.clock = clock_gettime;
		call->batch = xt_batch_clock;
		call->value = xt_value_clock;
		break;
	}
}

static int add_functions(struct xt_calls *calls, const struct xt_call *proto, unsigned swap,
                         void (*use)(struct xt_call *, enum xt_function), struct xt_err *err)
{
	static const struct {
		const char *name;
		enum xt_function function;
	} functions[] = {
		{"time", XT_FN_TIME},
		{"gettimeofday", XT_FN_GETTIMEOFDAY},
		{"clock-gettime-realtime", XT_FN_CLOCK_GETTIME},
		{"clock-gettime-monotonic", XT_FN_MONOTONIC},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		struct xt_call call = *proto;
		unsigned bit = xt_function_swap(functions[i].function);

		if (!(swap & bit) || xt_arm_fits(call.arm, bit) != XT_ARM_OK)
			continue;
		snprintf(call.name, sizeof(call.name), "%s", functions[i].name);
		call.id = functions[i].function == XT_FN_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
		use(&call, functions[i].function);
		if (xt_calls_add(calls, &call, err))
			return -1;
	}
	return 0;
}

int xt_rows_arm(struct xt_calls *calls, const char *text, const struct xt_arm *arm, struct xt_clock_state *state,
                struct xt_err *err)
{
	struct xt_call call = {.path = XT_PATH_SHIM, .available = true, .fd = -1, .arm = arm, .state = state};

	snprintf(call.source, sizeof(call.source), "%s", text);
	return add_functions(calls, &call, ~0u, use_op, err);
}

int xt_rows_linked(struct xt_calls *calls, const char *text, const struct xt_arm *arm, unsigned swap,
                   struct xt_err *err)
{
	struct xt_call call = {.path = XT_PATH_SHIM, .available = true, .fd = -1, .arm = arm};

	snprintf(call.source, sizeof(call.source), "%s", text);
	return add_functions(calls, &call, swap, use_linked, err);
}

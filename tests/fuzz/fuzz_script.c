/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fuzz target for the script language: compiles the input as a script and, when it is one, runs every section for a
 * bounded number of steps. With clang and -fsanitize=fuzzer it is a libFuzzer program; `make check` links it with
 * replay.c and runs the corpus.
 */
#include "script_run.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const struct xt_program *program)
{
	struct xt_env_options options = script_env_options();
	struct script_run script = {.limit = 2000};
	struct xt_env *env = xt_env_new(program, &options);
	struct xt_err err;

	for (int section = 0; env && section < XT_SECTIONS; section++) {
		script.steps = 0;
		if (script_run(xt_program_code(program, 0, section), env, &script, &err) && err.kind != XT_ERR_FAILED)
			abort(); /* whatever happens while a script runs is a failure, never a usage error */
	}
	xt_env_free(env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct xt_compile_options options = {.allow_shell = true};
	struct xt_program *program = xt_program_new(&options);
	struct xt_err err = {0};

	if (!program)
		return 0;
	if (!xt_program_add_text(program, "fuzz.sql", (const char *)data, size, &err))
		run(program);
	else if (err.kind != XT_ERR_USAGE || !err.text[0])
		abort(); /* a script that is refused is refused with a message */
	xt_program_free(program);
	return 0;
}

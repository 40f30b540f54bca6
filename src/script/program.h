/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program and a client's environment are made of. Private to the module.
 */
#ifndef XT_SCRIPT_PROGRAM_H
#define XT_SCRIPT_PROGRAM_H

#include "base/rng.h"
#include "script/arena.h"
#include "script/dist.h"
#include "script/script.h"
#include "script/vars.h"

#define XT_MAX_SCRIPTS 128
#define XT_MAX_FIGURES 32

struct xt_script {
	const char *name;
	struct xt_code code[XT_SECTIONS];
};

/* An option as far as it is declared: a preset (\option NAME DEFAULT in a file that includes the declaration) leaves
 * its type to the declaration. */
struct xt_option_state {
	struct xt_script_option pub;
	int slot;
	bool preset_word; /* the default is a bare word: one of the choices of a declaration still to come */
	unsigned file;    /* which inclusion declared it last: twice in one file is an error */
	size_t offset;    /* where in it */
};

struct xt_program {
	struct xt_arena arena;
	struct xt_compile_options options;
	struct xt_vars vars;
	struct xt_script scripts[XT_MAX_SCRIPTS];
	size_t script_count;
	uint32_t sql_count;
	unsigned texts; /* calls that make texts: each has a buffer in every environment */
	unsigned depth; /* deepest \repeat */
	struct xt_option_state *option_states;
	struct xt_script_option *option_list; /* the public view, made when a script is complete */
	size_t option_count, option_cap;
	const char *ab[3]; /* swap, a, b */
	enum xt_error_policy errors;
	bool errors_stated;
	unsigned files; /* inclusions so far */
	struct xt_figure figures[XT_MAX_FIGURES];
	size_t figure_count;
};

struct xt_slot {
	struct xt_value value;
	bool set;
	bool wire;  /* came as text from outside: an expression reads numbers and words in it */
	char *text; /* memory of a text value, reused */
	size_t cap;
};

struct xt_env {
	const struct xt_program *program;
	struct xt_slot *slots;
	size_t slot_count;
	struct xt_rng rng, mark;
	int64_t *counters;
	struct xt_buf *texts;
	size_t text_count;
	struct xt_dist dist;
};

/* The value of a text from outside, as pgbench reads it: null, words of truth, integer, double. 0, or why not. */
enum { XT_TEXT_MALFORMED = 1, XT_TEXT_RANGE };
int xt_value_from_text(const char *text, size_t len, struct xt_value *out);

/* Sets the initial value of a slot; the text is copied. -1 out of memory. */
int xt_program_preset(struct xt_program *program, int slot, const struct xt_value *value, bool wire);

#endif

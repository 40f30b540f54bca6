/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option parser. It knows types, not options.
 */
#include "cli/options.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* The type's own limit where a table gives none. */
static const double INT_LIMIT = 9.2e18, SECONDS_LIMIT = 1e9;

/* Hyphens and underscores are equal. */
static bool same_name(const char *name, const char *typed, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = typed[i] == '_' ? '-' : typed[i];

		if (name[i] != c)
			return false;
	}
	return name[len] == '\0';
}

const struct xt_arg *xt_args_find(const struct xt_arg_table *const *tables, size_t count, const char *name, size_t len)
{
	for (size_t t = 0; t < count; t++)
		for (size_t i = 0; i < tables[t]->count; i++) {
			const struct xt_arg *arg = &tables[t]->args[i];

			if (same_name(arg->name, name, len) || (arg->alias && same_name(arg->alias, name, len)))
				return arg;
		}
	return NULL;
}

bool xt_args_takes_value(const struct xt_arg *arg)
{
	return arg->type != XT_ARG_FLAG && arg->type != XT_ARG_OPTIONAL_TEXT;
}

static int64_t int_limit(double v, bool upper)
{
	if (upper)
		return v >= INT_LIMIT ? INT64_MAX : (int64_t)v;
	return v <= -INT_LIMIT ? INT64_MIN : (int64_t)v;
}

static int parse_choice(const char *values, const char *text, int *out, struct xt_err *err)
{
	const char *p = values;

	for (int i = 0;; i++) {
		size_t len = strcspn(p, "|");

		if (strlen(text) == len && !strncmp(text, p, len)) {
			*out = i;
			return 0;
		}
		if (!p[len])
			return xt_err_usage(err, "'%s' is not one of %s", text, values);
		p += len + 1;
	}
}

static int parse_number(const struct xt_arg *arg, const char *text, void *field, struct xt_err *err)
{
	bool ranged = arg->min != 0 || arg->max != 0;
	double min = ranged ? arg->min : -INT_LIMIT, max = ranged ? arg->max : INT_LIMIT;
	uint64_t unit = arg->type == XT_ARG_MILLIS ? 1000000u : 1000000000u;

	switch (arg->type) {
	case XT_ARG_INT:
		return xt_num_count(text, int_limit(min, false), int_limit(max, true), field, err);
	case XT_ARG_BYTES:
		return xt_num_bytes(text, int_limit(min, false), int_limit(max, true), field, err);
	case XT_ARG_DOUBLE:
		return xt_num_double(text, ranged ? min : -1e308, ranged ? max : 1e308, field, err);
	default:
		if (!ranged) {
			min = 0;
			max = SECONDS_LIMIT;
		}
		return xt_num_duration(text, unit, (uint64_t)(min * 1e9), (uint64_t)(max * 1e9), field, err);
	}
}

static int parse_list(struct xt_arg_list *list, const char *text, struct xt_err *err)
{
	if (list->n == XT_ARG_LIST_MAX)
		return xt_err_usage(err, "given too often: at most %d times are allowed", XT_ARG_LIST_MAX);
	list->v[list->n++] = text;
	list->v[list->n] = NULL;
	return 0;
}

static int parse_value(const struct xt_arg *arg, const char *text, void *base, struct xt_err *err)
{
	void *field = (char *)base + arg->offset;
	int on;

	switch (arg->type) {
	case XT_ARG_FLAG:
		if (xt_num_bool(text, &on, err))
			return -1;
		*(bool *)field = on;
		return 0;
	case XT_ARG_TEXT:
	case XT_ARG_OPTIONAL_TEXT:
		*(const char **)field = text;
		return 0;
	case XT_ARG_CHOICE:
		return parse_choice(arg->values, text, field, err);
	case XT_ARG_COUNTS:
		return xt_num_counts(text, arg->max > 0 ? (unsigned)arg->max : 4096, field, err);
	case XT_ARG_LIST:
		return parse_list(field, text, err);
	case XT_ARG_PATIENCE:
		if (strcmp(text, "off"))
			return parse_number(arg, text, field, err);
		*(uint64_t *)field = UINT64_MAX;
		return 0;
	default:
		return parse_number(arg, text, field, err);
	}
}

static int set_defaults(struct xt_arg_set *sets, size_t count, struct xt_err *err)
{
	for (size_t s = 0; s < count; s++) {
		sets[s].given = 0;
		for (size_t i = 0; i < sets[s].table->count; i++) {
			const struct xt_arg *arg = &sets[s].table->args[i];

			if (arg->def && parse_value(arg, arg->def, sets[s].base, err))
				return xt_err_context(err, "default of --%s", arg->name);
		}
	}
	return 0;
}

static const struct xt_arg *find_set(struct xt_arg_set *sets, size_t count, const char *name, size_t len,
                                     struct xt_arg_set **set)
{
	for (size_t s = 0; s < count; s++) {
		const struct xt_arg *arg = xt_args_find(&sets[s].table, 1, name, len);

		if (arg) {
			*set = &sets[s];
			sets[s].given |= UINT64_C(1) << (arg - sets[s].table->args);
			return arg;
		}
	}
	return NULL;
}

static int keep_other(struct xt_arg_rest *rest, const char *name, size_t len, const char *value, struct xt_err *err)
{
	if (rest->others == XT_ARG_WORDS_MAX)
		return xt_err_usage(err, "too many options");
	rest->other[rest->others++] = (struct xt_arg_other){name, len, value};
	return 0;
}

/* Where the parser is in argv. */
struct cursor {
	int argc;
	char **argv;
	int i;
};

/* The cursor's word names arg: find its value and store it. */
static int take(const struct xt_arg *arg, struct xt_arg_set *set, struct cursor *at, struct xt_err *err)
{
	const char *value = strchr(at->argv[at->i], '=');

	if (value)
		value++;
	else if (arg->type == XT_ARG_FLAG)
		value = "on";
	else if (arg->type == XT_ARG_OPTIONAL_TEXT)
		value = "";
	else if (at->i + 1 < at->argc && strcmp(at->argv[at->i + 1], "--"))
		value = at->argv[++at->i];
	else
		return xt_err_usage(err, "--%s needs a value: --%s=%s", arg->name, arg->name,
		                    arg->values ? arg->values : "N");
	if (parse_value(arg, value, set->base, err))
		return xt_err_context(err, "--%s", arg->name);
	return 0;
}

static int parse_option(struct cursor *at, struct xt_arg_set *sets, size_t count, struct xt_arg_rest *rest,
                        struct xt_err *err)
{
	const char *name = at->argv[at->i] + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	struct xt_arg_set *set;
	const struct xt_arg *arg = find_set(sets, count, name, len, &set);

	if (arg)
		return take(arg, set, at, err);
	if (same_name("help", name, len)) {
		rest->help = true;
		return 0;
	}
	return keep_other(rest, name, len, value ? value + 1 : NULL, err);
}

int xt_args_parse(int argc, char **argv, struct xt_arg_set *sets, size_t count, struct xt_arg_rest *rest,
                  struct xt_err *err)
{
	const struct xt_arg_table *tables[16];
	struct cursor at = {argc, argv, 1};

	if (set_defaults(sets, count, err))
		return -1;
	for (; at.i < argc; at.i++) {
		char *word = argv[at.i];

		if (!strcmp(word, "--")) {
			rest->dashdash = at.i + 1;
			break;
		}
		if (!strcmp(word, "-h")) {
			rest->help = true;
		} else if (!strncmp(word, "--", 2)) {
			rest->failed = at.i;
			if (parse_option(&at, sets, count, rest, err))
				return -1;
			rest->failed = 0;
		} else if (word[0] == '-' && word[1]) {
			return xt_err_usage(
				err, "unknown option %s: options are long, as in --threads=4 (see xtime help %s)", word,
				argv[0]);
		} else if (rest->words == XT_ARG_WORDS_MAX) {
			return xt_err_usage(err, "too many words: at most %d are allowed", XT_ARG_WORDS_MAX);
		} else {
			rest->word[rest->words++] = word;
		}
	}
	if (!rest->others || rest->others_allowed || rest->help)
		return 0;
	for (size_t s = 0; s < count && s < 16; s++)
		tables[s] = sets[s].table;
	return xt_args_unknown(tables, count < 16 ? count : 16, &rest->other[0], argv[0], err);
}

bool xt_args_given(const struct xt_arg_set *sets, size_t count, const char *name)
{
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sets[s].table->count; i++)
			if (!strcmp(sets[s].table->args[i].name, name))
				return sets[s].given >> i & 1;
	return false;
}

/* Edit distance, capped, for "did you mean". */
static unsigned distance(const char *a, size_t n, const char *b)
{
	unsigned row[65];
	size_t m = strlen(b);

	if (n > 64 || m > 64)
		return 99;
	for (size_t j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned up = row[j];
			unsigned best = diagonal + ((a[i - 1] == '_' ? '-' : a[i - 1]) != b[j - 1]);

			if (up + 1 < best)
				best = up + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = up;
			row[j] = best;
		}
	}
	return row[m];
}

int xt_args_unknown(const struct xt_arg_table *const *tables, size_t count, const struct xt_arg_other *other,
                    const char *command, struct xt_err *err)
{
	const char *best = NULL;
	unsigned least = 99;

	for (size_t t = 0; t < count; t++)
		for (size_t i = 0; i < tables[t]->count; i++) {
			unsigned d = distance(other->name, other->len, tables[t]->args[i].name);

			if (d < least) {
				least = d;
				best = tables[t]->args[i].name;
			}
		}
	if (best && least <= 3 && least < other->len)
		return xt_err_usage(err, "unknown option --%.*s; did you mean --%s? (xtime help %s lists them)",
		                    (int)other->len, other->name, best, command);
	return xt_err_usage(err, "unknown option --%.*s (xtime help %s lists what is allowed)", (int)other->len,
	                    other->name, command);
}

void xt_args_help(const struct xt_arg_table *table, FILE *out)
{
	fprintf(out, "%s:\n", table->title);
	for (size_t i = 0; i < table->count; i++) {
		const struct xt_arg *arg = &table->args[i];
		char left[96];

		if (arg->type == XT_ARG_FLAG)
			snprintf(left, sizeof(left), "--%s", arg->name);
		else if (arg->type == XT_ARG_OPTIONAL_TEXT)
			snprintf(left, sizeof(left), "--%s[=%s]", arg->name, arg->values ? arg->values : "TEXT");
		else
			snprintf(left, sizeof(left), "--%s=%s", arg->name, arg->values ? arg->values : "N");
		fprintf(out, "  %-32s %s%s", left, strlen(left) > 32 ? "\n                                   " : "",
		        arg->help);
		if (arg->alias)
			fprintf(out, "; also --%s", arg->alias);
		if (arg->def && arg->type != XT_ARG_FLAG)
			fprintf(out, " (default: %s)", *arg->def ? arg->def : "none");
		else if (arg->def && !strcmp(arg->def, "on"))
			fputs(" (default: on)", out);
		fputc('\n', out);
	}
}

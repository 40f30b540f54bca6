/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that scripts can call, by name.
 */
#include "script/expr.h"

#include <string.h>
#include <strings.h>

static const struct xt_fn_info functions[] = {
	{"abs", XT_FN_ABS, 1, 1, false},
	{"contains", XT_FN_CONTAINS, 2, 2, false},
	{"debug", XT_FN_DEBUG, 1, 1, false},
	{"double", XT_FN_DOUBLE, 1, 1, false},
	{"exp", XT_FN_EXP, 1, 1, false},
	{"greatest", XT_FN_GREATEST, 1, -1, false},
	{"hash", XT_FN_HASH_MURMUR2, 1, 2, true},
	{"hash_fnv1a", XT_FN_HASH_FNV1A, 1, 2, true},
	{"hash_murmur2", XT_FN_HASH_MURMUR2, 1, 2, true},
	{"int", XT_FN_INT, 1, 1, false},
	{"least", XT_FN_LEAST, 1, -1, false},
	{"length", XT_FN_LENGTH, 1, 1, false},
	{"ln", XT_FN_LN, 1, 1, false},
	{"mod", XT_FN_MOD, 2, 2, false},
	{"permute", XT_FN_PERMUTE, 2, 3, true},
	{"pi", XT_FN_PI, 0, 0, false},
	{"pow", XT_FN_POW, 2, 2, false},
	{"power", XT_FN_POW, 2, 2, false},
	{"random", XT_FN_RANDOM, 2, 2, false},
	{"random_default", XT_FN_RANDOM_DEFAULT, 2, 2, false},
	{"random_exponential", XT_FN_RANDOM_EXPONENTIAL, 3, 3, false},
	{"random_gaussian", XT_FN_RANDOM_GAUSSIAN, 3, 3, false},
	{"random_pareto", XT_FN_RANDOM_PARETO, 2, 2, false},
	{"random_special", XT_FN_RANDOM_SPECIAL, 2, 2, false},
	{"random_string", XT_FN_RANDOM_STRING, 1, 1, false},
	{"random_zipfian", XT_FN_RANDOM_ZIPFIAN, 3, 3, false},
	{"sqrt", XT_FN_SQRT, 1, 1, false},
	{"substr", XT_FN_SUBSTR, 3, 3, false},
};

const struct xt_fn_info *xt_fn_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strlen(functions[i].name) == len && !strncasecmp(functions[i].name, name, len))
			return &functions[i];
	return NULL;
}

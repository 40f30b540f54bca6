/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parsing and printing of numbers.
 */
#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int out_of_range(const char *text, int64_t min, int64_t max, struct xt_err *err)
{
	if (max == INT64_MAX)
		return xt_err_usage(err, "'%s' is out of range: at least %" PRId64 " is allowed", text, min);
	return xt_err_usage(err, "'%s' is out of range: %" PRId64 " to %" PRId64 " is allowed", text, min, max);
}

static int scaled(const char *text, int64_t base, int64_t min, int64_t max, int64_t *out, struct xt_err *err)
{
	char *end;
	long long v;
	int power = 0;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || isspace((unsigned char)*text))
		return xt_err_usage(err, "'%s' is not a number: an integer is expected, k, M or G may follow", text);
	if (errno == ERANGE)
		return out_of_range(text, min, max, err);
	if (*end == 'k' || *end == 'K')
		power = 1;
	else if (*end == 'M')
		power = 2;
	else if (*end == 'G')
		power = 3;
	if (power)
		end++;
	if (*end)
		return xt_err_usage(err, "'%s' has trailing text '%s': an integer is expected, k, M or G may follow",
		                    text, end);
	while (power--)
		if (__builtin_mul_overflow(v, (long long)base, &v))
			return out_of_range(text, min, max, err);
	if (v < min || v > max)
		return out_of_range(text, min, max, err);
	*out = v;
	return 0;
}

int xt_num_count(const char *text, int64_t min, int64_t max, int64_t *out, struct xt_err *err)
{
	return scaled(text, 1000, min, max, out, err);
}

int xt_num_bytes(const char *text, int64_t min, int64_t max, int64_t *out, struct xt_err *err)
{
	return scaled(text, 1024, min, max, out, err);
}

/* strtod without inf, nan, hexadecimal and leading blanks; the end of what was read, or NULL. */
static char *plain_double(const char *text, double *out)
{
	const char *p = text;
	char *end;

	if (*p == '+' || *p == '-')
		p++;
	if (!isdigit((unsigned char)*p) && *p != '.')
		return NULL;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return NULL;
	*out = strtod(text, &end);
	return end == text || !isfinite(*out) ? NULL : end;
}

int xt_num_double(const char *text, double min, double max, double *out, struct xt_err *err)
{
	double v;
	char *end = plain_double(text, &v);

	if (!end || *end)
		return xt_err_usage(err, "'%s' is not a number: a finite decimal number is expected", text);
	if (v < min || v > max) {
		if (max >= 1e300)
			return xt_err_usage(err, "'%s' is out of range: at least %g is allowed", text, min);
		return xt_err_usage(err, "'%s' is out of range: %g to %g is allowed", text, min, max);
	}
	*out = v;
	return 0;
}

int xt_num_duration(const char *text, uint64_t unit_ns, uint64_t min_ns, uint64_t max_ns, uint64_t *out,
                    struct xt_err *err)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}};
	double v, factor = (double)unit_ns;
	char *end = plain_double(text, &v);
	char low[32], high[32];

	if (end && *end) {
		size_t i;

		for (i = 0; i < 4 && strcmp(end, units[i].name); i++)
			;
		if (i == 4)
			end = NULL;
		else
			factor = units[i].ns;
	}
	if (!end)
		return xt_err_usage(err, "'%s' is not a duration: a number is expected, us, ms, s or m may follow",
		                    text);
	v *= factor;
	if (v < (double)min_ns || v > (double)max_ns)
		return xt_err_usage(err, "'%s' is out of range: %s to %s is allowed", text,
		                    xt_num_print_ns((double)min_ns, low, sizeof(low)),
		                    xt_num_print_ns((double)max_ns, high, sizeof(high)));
	*out = (uint64_t)llround(v);
	return 0;
}

int xt_num_bool(const char *text, int *out, struct xt_err *err)
{
	static const char *const words[2][4] = {{"off", "false", "no", "0"}, {"on", "true", "yes", "1"}};

	for (int v = 0; v < 2; v++)
		for (int i = 0; i < 4; i++)
			if (!strcasecmp(text, words[v][i])) {
				*out = v;
				return 0;
			}
	return xt_err_usage(err, "'%s' is not a switch: on or off is expected", text);
}

static int add_count(struct xt_counts *out, long v, struct xt_err *err)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i] == (unsigned)v)
			return xt_err_usage(err, "%ld is given twice: each thread count may stand once", v);
	if (out->n == XT_MAX_COUNTS)
		return xt_err_usage(err, "too many thread counts: at most %d are allowed", XT_MAX_COUNTS);
	out->v[out->n++] = (unsigned)v;
	return 0;
}

int xt_num_counts(const char *text, unsigned max, struct xt_counts *out, struct xt_err *err)
{
	const char *p = text;

	out->n = 0;
	do {
		char *end;
		long first, last;

		if (!isdigit((unsigned char)*p))
			return xt_err_usage(
				err,
				"'%s' is not a thread count: a number, a list or a range is expected (4, 1,2,4, 1-5)",
				text);
		errno = 0;
		first = last = strtol(p, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtol(end + 1, &end, 10);
		if (errno || first < 1 || last < 1 || first > (long)max || last > (long)max)
			return xt_err_usage(err, "'%s' is out of range: 1 to %u is allowed", text, max);
		if (last < first)
			return xt_err_usage(err, "'%s' is a falling range: write %ld-%ld", text, last, first);
		for (long v = first; v <= last; v++)
			if (add_count(out, v, err))
				return -1;
		if (*end && *end != ',')
			return xt_err_usage(
				err,
				"'%s' has trailing text '%s': a number, a list or a range is expected (4, 1,2,4, 1-5)",
				text, end);
		p = *end ? end + 1 : NULL;
	} while (p);
	return 0;
}

const char *xt_num_print_ns(double ns, char *buf, size_t cap)
{
	if (ns < 1e3)
		snprintf(buf, cap, "%g ns", ns);
	else if (ns < 1e6)
		snprintf(buf, cap, "%g us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(buf, cap, "%g ms", ns / 1e6);
	else
		snprintf(buf, cap, "%g s", ns / 1e9);
	return buf;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An xtime.ab/1 record as tables, CSV and plots read it: one comparison per arm and point, joined with the arms' own
 * figures. Absent figures are NAN. Strings belong to the record.
 */
#ifndef XT_REPORT_VIEW_H
#define XT_REPORT_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { XT_VIEW_ARMS = 16 };

/* A number, or NAN for null, another type or nothing. */
double xt_view_number(const json_t *object, const char *key);
/* A string, or fallback. */
const char *xt_view_text(const json_t *object, const char *key, const char *fallback);
/* (ratio - 1) x 100. */
double xt_view_percent(double ratio);

struct xt_view_comparison {
	const char *arm;
	const char *base;
	char letter[3]; /* "B", "C", ..., "A'" */
	bool control;
	double tps;           /* of the arm */
	double ratio, lo, hi; /* measured */
	double predicted;
	double min_detectable, ratio_of_totals, lag1, merged;
	const char *verdict;     /* "" when null */
	bool totals_outside;     /* ratio of the totals lies outside [lo, hi] */
	bool prediction_differs; /* predicted lies more than half a percentage point outside [lo, hi] */
};

struct xt_view_point {
	const json_t *json;
	unsigned threads;
	bool partial;
	double tps;            /* of the base */
	double tps_lo, tps_hi; /* its interval, where the record has one */
	double tps_typical;    /* median over blocks of its slice rate, as tps */
	bool typical_differs;  /* by over 5 % from tps */
	size_t n;              /* comparisons without the control */
	struct xt_view_comparison comparison[XT_VIEW_ARMS];
	bool has_control;
	struct xt_view_comparison control;
};

size_t xt_view_points(const json_t *record);
void xt_view_point(const json_t *record, size_t index, struct xt_view_point *out);

/* The functions of calls_per_transaction that are worth a column: swapped ones that were called, else the first swapped
 * one. Returns how many names were put into name. */
enum { XT_VIEW_FUNCTIONS = 4 };
size_t xt_view_functions(const json_t *record, const char *name[XT_VIEW_FUNCTIONS]);

/* The letter of an arm by its place in the record: A, B, ... */
char xt_view_letter(size_t index);

#endif

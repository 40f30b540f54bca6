/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors as values. A fallible function returns 0 or -1 and fills the caller's struct xt_err; callers on the way up
 * add context in front ("oltp_time.sql:12:7: ..."). Nothing here prints or exits: main alone picks the exit code.
 */
#ifndef XT_BASE_ERR_H
#define XT_BASE_ERR_H

enum xt_err_kind {
	XT_ERR_NONE,
	XT_ERR_USAGE,       /* bad command line, script or missing input: nothing was run or created; exit 2 */
	XT_ERR_INTERRUPTED, /* the user ended it before there was anything to keep; exit 130 */
	XT_ERR_FAILED,      /* ran, but failed: server lost, disk full, void result; exit 1 */
};

struct xt_err {
	enum xt_err_kind kind;
	char text[2048]; /* without "xtime: " and without a final newline; may hold several lines (caret) */
};

/* Both set the text (printf style), replacing what was there, and return -1. err may be NULL: only -1 then. */
int xt_err_usage(struct xt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int xt_err_interrupted(struct xt_err *err); /* its text is "interrupted" */
int xt_err_failed(struct xt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<context>: " before the text; keeps the kind; returns -1. */
int xt_err_context(struct xt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formatting of struct xt_err. A text longer than the field is cut, never overrun.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set(struct xt_err *err, enum xt_err_kind kind, const char *fmt, va_list ap)
{
	if (!err)
		return;
	err->kind = kind;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
}

int xt_err_usage(struct xt_err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, XT_ERR_USAGE, fmt, ap);
	va_end(ap);
	return -1;
}

int xt_err_interrupted(struct xt_err *err)
{
	if (err) {
		err->kind = XT_ERR_INTERRUPTED;
		snprintf(err->text, sizeof(err->text), "interrupted");
	}
	return -1;
}

int xt_err_failed(struct xt_err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, XT_ERR_FAILED, fmt, ap);
	va_end(ap);
	return -1;
}

int xt_err_context(struct xt_err *err, const char *fmt, ...)
{
	char head[512];
	char old[sizeof(err->text)];
	va_list ap;
	size_t used;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	memcpy(old, err->text, sizeof(old));
	old[sizeof(old) - 1] = '\0';
	used = (size_t)snprintf(err->text, sizeof(err->text), "%s: ", head);
	snprintf(err->text + used, sizeof(err->text) - used, "%s", old);
	return -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages on stderr. Each is one write of one stream, so that lines of two threads never mix.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int progress_shown;

static void line(const char *head, const char *fmt, va_list ap)
{
	flockfile(stderr);
	if (atomic_exchange(&progress_shown, 0))
		fputs("\r\033[K", stderr);
	fputs(head, stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	fflush(stderr);
	funlockfile(stderr);
}

void xt_log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("xtime: error: ", fmt, ap);
	va_end(ap);
}

void xt_log_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("xtime: warning: ", fmt, ap);
	va_end(ap);
}

void xt_log_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("xtime: ", fmt, ap);
	va_end(ap);
}

void xt_log_progress(const char *fmt, ...)
{
	va_list ap;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(ap, fmt);
	flockfile(stderr);
	fputs("\r\033[K", stderr);
	vfprintf(stderr, fmt, ap);
	fflush(stderr);
	atomic_store(&progress_shown, 1);
	funlockfile(stderr);
	va_end(ap);
}

void xt_log_progress_end(void)
{
	flockfile(stderr);
	if (atomic_exchange(&progress_shown, 0)) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	funlockfile(stderr);
}

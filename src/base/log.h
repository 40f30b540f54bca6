/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read while a command runs: warnings and progress, on stderr. A progress line is redrawn only when
 * stderr is a terminal and is cleared before anything else is printed. Safe from several threads (stderr is locked).
 */
#ifndef XT_BASE_LOG_H
#define XT_BASE_LOG_H

void xt_log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));   /* "xtime: error: ..." */
void xt_log_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* "xtime: warning: ..." */
void xt_log_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* "xtime: ..." */

/* Replaces the progress line; nothing when stderr is no terminal. xt_log_progress_end() removes it. */
void xt_log_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void xt_log_progress_end(void);

#endif

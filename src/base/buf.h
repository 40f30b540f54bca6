/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growing byte buffer, always NUL-terminated. Start with {0}; release with xt_buf_free(). Out of memory sets
 * .failed and keeps what is there, so that a chain of appends is checked once at its end.
 */
#ifndef XT_BASE_BUF_H
#define XT_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct xt_buf {
	char *data; /* NULL until the first append */
	size_t len;
	size_t cap;
	bool failed;
};

void xt_buf_add(struct xt_buf *buf, const void *bytes, size_t len);
void xt_buf_puts(struct xt_buf *buf, const char *text);
void xt_buf_printf(struct xt_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xt_buf_reset(struct xt_buf *buf); /* length 0, memory kept */
void xt_buf_free(struct xt_buf *buf);

/* Whole file into buf (at most max bytes). 0, or -1 with errno set (EFBIG when longer). */
int xt_buf_read_file(struct xt_buf *buf, const char *path, size_t max);

/* All of it, whatever a single write takes. 0, or -1 with errno. */
int xt_write_all(int fd, const char *data, size_t len);

#endif

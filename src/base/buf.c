/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The growing byte buffer.
 */
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool reserve(struct xt_buf *buf, size_t more)
{
	size_t cap = buf->cap ? buf->cap : 64;
	char *data;

	if (buf->failed)
		return false;
	while (cap - buf->len <= more) {
		if (cap > (size_t)-1 / 2) {
			buf->failed = true;
			return false;
		}
		cap *= 2;
	}
	if (cap == buf->cap)
		return true;
	data = realloc(buf->data, cap);
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->cap = cap;
	return true;
}

void xt_buf_add(struct xt_buf *buf, const void *bytes, size_t len)
{
	if (!reserve(buf, len))
		return;
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void xt_buf_puts(struct xt_buf *buf, const char *text)
{
	xt_buf_add(buf, text, strlen(text));
}

void xt_buf_printf(struct xt_buf *buf, const char *fmt, ...)
{
	va_list ap;
	int need;

	va_start(ap, fmt);
	need = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (need < 0 || !reserve(buf, (size_t)need))
		return;
	va_start(ap, fmt);
	vsnprintf(buf->data + buf->len, buf->cap - buf->len, fmt, ap);
	va_end(ap);
	buf->len += (size_t)need;
}

void xt_buf_reset(struct xt_buf *buf)
{
	buf->len = 0;
	buf->failed = false;
	if (buf->data)
		buf->data[0] = '\0';
}

void xt_buf_free(struct xt_buf *buf)
{
	free(buf->data);
	*buf = (struct xt_buf){0};
}

int xt_buf_read_file(struct xt_buf *buf, const char *path, size_t max)
{
	char chunk[8192];
	ssize_t n;
	int saved;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0) {
		xt_buf_add(buf, chunk, (size_t)n);
		if (buf->failed || buf->len > max) {
			errno = buf->failed ? ENOMEM : EFBIG;
			n = -1;
			break;
		}
	}
	saved = errno;
	close(fd);
	if (n < 0) {
		errno = saved;
		return -1;
	}
	xt_buf_add(buf, "", 0); /* an empty file still has a terminated buffer */
	return buf->failed ? -1 : 0;
}

int xt_write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

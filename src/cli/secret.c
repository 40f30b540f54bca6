/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hiding passwords. What a password looks like is known to record/strike alone; here it is only moved about.
 */
#include "config.h"

#include "cli/secret.h"

#include "base/buf.h"
#include "record/strike.h"
#include "shim/page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VARIABLE "XTIME_SECRET"

enum { LOWEST_FD = 100, TEXTS_MAX = 1 << 20 };

/* The struck text of an argument when that differs; NULL when there is nothing to hide. Belongs to list. */
static const char *struck_text(const json_t *list, int i, const char *arg)
{
	const char *text = json_string_value(json_array_get(list, (size_t)i));

	return text && strcmp(text, arg) && strstr(text, "***") ? text : NULL;
}

static void overwrite(char *memory, const char *text)
{
	size_t len = strlen(memory), used = strlen(text);

	memset(memory, '*', len);
	memcpy(memory, text, used < len ? used : len);
}

/* "index\0text\0" for each argument that was handed over. */
static void take_over(int argc, char **argv)
{
	const char *variable = getenv(VARIABLE);
	int fd = variable ? xt_page_env_fd(variable) : -1;
	struct xt_buf texts = {0};
	char path[32];
	size_t at = 0;

	unsetenv(VARIABLE);
	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!xt_buf_read_file(&texts, path, TEXTS_MAX)) {
		while (at < texts.len) {
			long i = strtol(texts.data + at, NULL, 10);
			char *copy;

			at += strlen(texts.data + at) + 1;
			if (at >= texts.len)
				break;
			copy = i > 0 && i < argc ? strdup(texts.data + at) : NULL;
			if (copy)
				argv[i] = copy;
			at += strlen(texts.data + at) + 1;
		}
	}
	xt_buf_free(&texts);
	close(fd);
}

void xt_secret_hide(int argc, char **argv)
{
	json_t *list = xt_strike_passwords(argc, argv);

	for (int i = 1; list && i < argc; i++) {
		const char *text = struck_text(list, i, argv[i]);
		char *copy = text ? strdup(argv[i]) : NULL;

		if (!copy)
			continue;
		overwrite(argv[i], text);
		argv[i] = copy;
	}
	json_decref(list);
	take_over(argc, argv);
}

/* A memory file that an exec does not close, at the texts' beginning. */
static int keep_texts(const struct xt_buf *texts)
{
	char value[64];
	int saved, low = memfd_create("xtime-secret", MFD_CLOEXEC);
	int fd = low < 0 ? -1 : fcntl(low, F_DUPFD, LOWEST_FD);

	if (low >= 0)
		close(low);
	if (fd < 0)
		return -1;
	errno = EIO;
	if (write(fd, texts->data, texts->len) == (ssize_t)texts->len) {
		xt_page_env_format(fd, value, sizeof(value));
		if (!setenv(VARIABLE, value, 1))
			return 0;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int xt_secret_hand_over(char **args)
{
	struct xt_buf texts = {0};
	json_t *list;
	int count = 0, rc = 0;

	while (args[count])
		count++;
	list = xt_strike_passwords(count, args);
	errno = ENOMEM;
	for (int i = 1; list && i < count && !rc; i++) {
		const char *text = struck_text(list, i, args[i]);
		char *copy = text ? strdup(text) : NULL;

		if (!text)
			continue;
		xt_buf_printf(&texts, "%d", i);
		xt_buf_add(&texts, "", 1);
		xt_buf_add(&texts, args[i], strlen(args[i]) + 1);
		args[i] = copy;
		rc = copy ? 0 : -1;
	}
	if (!list || texts.failed)
		rc = -1;
	if (!rc && texts.len)
		rc = keep_texts(&texts);
	json_decref(list);
	xt_buf_free(&texts);
	return rc;
}

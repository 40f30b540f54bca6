/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option file: lines to arguments.
 */
#include "cli/config_file.h"

#include "base/buf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct xt_config_file {
	struct xt_buf text; /* cut into lines */
	char *dashed;       /* the same with dashes in front */
	char **argv;
};

static const char *find_path(int argc, char **argv)
{
	static const char *const names[] = {"--config-file", "--config_file"};
	const char *path = NULL;

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		for (size_t k = 0; k < 2; k++) {
			size_t len = strlen(names[k]);

			if (strncmp(argv[i], names[k], len))
				continue;
			if (argv[i][len] == '=')
				path = argv[i] + len + 1;
			else if (!argv[i][len] && i + 1 < argc)
				path = argv[i + 1];
		}
	return path;
}

/* Copies `line` as an option of its own to `at`; returns what follows it, or `at` when there is no option. */
static char *add_line(char *at, const char *line, size_t len)
{
	while (len && isspace((unsigned char)*line)) {
		line++;
		len--;
	}
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	if (!len || *line == '#')
		return at;
	if (len < 2 || line[0] != '-' || line[1] != '-') {
		memcpy(at, "--", 2);
		at += 2;
	}
	memcpy(at, line, len);
	at[len] = '\0';
	return at + len + 1;
}

static int split(struct xt_config_file *file, int *argc, char ***argv, struct xt_err *err)
{
	size_t lines = 1, n = 0;
	const char *p = file->text.data, *end = p + file->text.len;
	char *at;

	for (const char *q = p; q < end; q++)
		lines += *q == '\n';
	file->dashed = malloc(file->text.len + 4 * lines + 1);
	file->argv = calloc(lines + (size_t)*argc + 1, sizeof(*file->argv));
	if (!file->dashed || !file->argv)
		return xt_err_failed(err, "out of memory");
	at = file->dashed;
	file->argv[n++] = (*argv)[0];
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = stop ? (size_t)(stop - p) : (size_t)(end - p);
		char *next = add_line(at, p, len);

		if (next != at)
			file->argv[n++] = at;
		at = next;
		p += len + 1;
	}
	for (int i = 1; i < *argc; i++)
		file->argv[n++] = (*argv)[i];
	*argc = (int)n;
	*argv = file->argv;
	return 0;
}

int xt_config_file_read(struct xt_config_file **out, int *argc, char ***argv, struct xt_err *err)
{
	const char *path = find_path(*argc, *argv);
	struct xt_config_file *file;

	*out = NULL;
	if (!path)
		return 0;
	file = calloc(1, sizeof(*file));
	if (!file)
		return xt_err_failed(err, "out of memory");
	if (xt_buf_read_file(&file->text, path, 1 << 20)) {
		xt_config_file_free(file);
		return xt_err_usage(err, "--config-file: cannot read %s: %m", path);
	}
	if (split(file, argc, argv, err)) {
		xt_config_file_free(file);
		return -1;
	}
	*out = file;
	return 0;
}

void xt_config_file_free(struct xt_config_file *file)
{
	if (!file)
		return;
	xt_buf_free(&file->text);
	free(file->dashed);
	free(file->argv);
	free(file);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option file: lines to arguments.
 */
#include "cli/config_file.h"

#include "base/buf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct xt_config_file {
	const char *path;
	struct xt_buf text; /* cut into lines */
	char *dashed;       /* the same with dashes in front */
	char **argv;
	size_t *line; /* of each of argv's that are from here, from argv[1] on */
	size_t count;
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

static size_t skip_blank(const char *line, size_t at, size_t len)
{
	while (at < len && isspace((unsigned char)line[at]))
		at++;
	return at;
}

static size_t skip_name(const char *line, size_t at, size_t len)
{
	while (at < len && (isalnum((unsigned char)line[at]) || line[at] == '-' || line[at] == '_'))
		at++;
	return at;
}

/* The option of a line, as --name or --name=value, at *at, which moves behind it; nothing for an empty line. */
static int add_line(char **at, const char *line, size_t len, struct xt_err *err)
{
	size_t name = skip_blank(line, 0, len), end, value;
	bool equal;

	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	if (name >= len || line[name] == '#')
		return 0;
	if (len - name > 2 && line[name] == '-' && line[name + 1] == '-')
		name += 2;
	end = skip_name(line, name, len);
	value = skip_blank(line, end, len);
	equal = value < len && line[value] == '=';
	if (end == name || (value < len && !equal))
		return xt_err_usage(err, "'%.*s' is not an option: name=value is expected", (int)(len - name),
		                    line + name);
	if (end - name == 11 && (!strncmp(line + name, "config-file", 11) || !strncmp(line + name, "config_file", 11)))
		return xt_err_usage(err, "a file of options cannot name another one");
	value = equal ? skip_blank(line, value + 1, len) : len;
	*at += sprintf(*at, "--%.*s%s%.*s", (int)(end - name), line + name, equal ? "=" : "", (int)(len - value),
	               line + value) +
	       1;
	return 0;
}

static int split(struct xt_config_file *file, int *argc, char ***argv, struct xt_err *err)
{
	static const char mark[] = "\xef\xbb\xbf"; /* UTF-8's, which editors put in front */
	size_t lines = 1, line = 0;
	const char *p = file->text.data, *end = p + file->text.len;
	char *at;

	for (const char *q = p; q < end; q++)
		lines += *q == '\n';
	file->dashed = malloc(file->text.len + 4 * lines + 1);
	file->argv = calloc(lines + (size_t)*argc + 1, sizeof(*file->argv));
	file->line = calloc(lines, sizeof(*file->line));
	if (!file->dashed || !file->argv || !file->line)
		return xt_err_failed(err, "out of memory");
	at = file->dashed;
	file->argv[0] = (*argv)[0];
	if (file->text.len >= 3 && !memcmp(p, mark, 3))
		p += 3;
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = stop ? (size_t)(stop - p) : (size_t)(end - p);
		char *option = at;

		line++;
		if (memchr(p, '\0', len))
			return xt_err_usage(err, "%s:%zu: a byte 0: this is no text", file->path, line);
		if (add_line(&at, p, len, err))
			return xt_err_context(err, "%s:%zu", file->path, line);
		if (at != option) {
			file->line[file->count++] = line;
			file->argv[file->count] = option;
		}
		p += len + 1;
	}
	for (int i = 1; i < *argc; i++)
		file->argv[file->count + (size_t)i] = (*argv)[i];
	*argc += (int)file->count;
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
	file->path = path;
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

int xt_config_file_blame(const struct xt_config_file *file, const char *option, struct xt_err *err)
{
	for (size_t i = 0; file && i < file->count; i++) {
		const char *from = file->argv[i + 1];

		if (option >= from && option <= from + strlen(from))
			return xt_err_context(err, "%s:%zu", file->path, file->line[i]);
	}
	return -1;
}

void xt_config_file_free(struct xt_config_file *file)
{
	if (!file)
		return;
	xt_buf_free(&file->text);
	free(file->dashed);
	free(file->argv);
	free(file->line);
	free(file);
}

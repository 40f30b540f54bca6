/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `xtime report RECORD|DIR ...`: finds the records, reads all of them before anything is written, and hands each to its
 * format.
 */
#include "config.h"

#include "cli/cmd_report.h"

#include "base/buf.h"
#include "base/log.h"
#include "cli/commands.h"
#include "record/record.h"
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct report_options {
	int format;
	const char *output;
};

/* The words of format stand in the order of xt_report_formats. */
static const struct xt_arg args[] = {
	{"format", NULL, XT_ARG_CHOICE, offsetof(struct report_options, format), 0, 0, "table",
         "table|json|csv|svg|png", "how to show the records; svg and png are drawn by gnuplot"},
	{"output", NULL, XT_ARG_TEXT, offsetof(struct report_options, output), 0, 0, NULL, "FILE",
         "where to write (default: standard output); a folder for pictures: RECORD's name in it"},
};

static const struct xt_arg_table table = {"Report", args, sizeof(args) / sizeof(*args)};

const struct xt_arg_table *const xt_cmd_report_tables[] = {&table, NULL};

/* The records in the order in which they are shown. */
struct records {
	size_t n;
	struct {
		char *path;
		json_t *json;
	} * record;
};

static void free_records(struct records *records)
{
	for (size_t i = 0; i < records->n; i++) {
		free(records->record[i].path);
		json_decref(records->record[i].json);
	}
	free(records->record);
}

static int add_record(struct records *records, const char *path, struct xt_err *err)
{
	json_t *json = xt_record_load(path, err);
	void *more;

	if (!json)
		return -1;
	more = realloc(records->record, (records->n + 1) * sizeof(*records->record));
	if (more)
		records->record = more;
	if (!more || !(records->record[records->n].path = strdup(path))) {
		json_decref(json);
		return xt_err_failed(err, "%s: out of memory", path);
	}
	records->record[records->n++].json = json;
	return 0;
}

static int is_json(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 && !strcmp(entry->d_name + len - 5, ".json");
}

/* All *.json of a folder, by name. */
static int add_folder(struct records *records, const char *folder, struct xt_err *err)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_json, alphasort);
	int bad = 0;

	if (n < 0)
		return xt_err_usage(err, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		struct xt_buf path = {0};

		xt_buf_printf(&path, "%s/%s", folder, entry[i]->d_name);
		if (!bad)
			bad = path.failed ? xt_err_failed(err, "%s: out of memory", folder)
			                  : add_record(records, path.data, err);
		xt_buf_free(&path);
		free(entry[i]);
	}
	free(entry);
	return n ? bad : xt_err_usage(err, "%s: the folder holds no record (*.json)", folder);
}

static int load_all(struct records *records, const struct xt_arg_rest *rest, struct xt_err *err)
{
	struct stat st;

	if (!rest->words)
		return xt_err_usage(err, "no record: xtime report RECORD|DIR ... (see xtime help report)");
	for (size_t i = 0; i < rest->words; i++) {
		bool folder = !stat(rest->word[i], &st) && S_ISDIR(st.st_mode);

		if (folder ? add_folder(records, rest->word[i], err) : add_record(records, rest->word[i], err))
			return -1;
	}
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat st;
	size_t len = strlen(path);

	return (len && path[len - 1] == '/') || (!stat(path, &st) && S_ISDIR(st.st_mode));
}

/* A picture's file in a folder: the record's base name with another ending. */
static void picture_path(const char *folder, const char *record, const char *ending, struct xt_buf *out)
{
	const char *base = strrchr(record, '/') ? strrchr(record, '/') + 1 : record;
	size_t len = strlen(base);

	if (len > 5 && !strcmp(base + len - 5, ".json"))
		len -= 5;
	xt_buf_printf(out, "%s%s%.*s.%s", folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "", (int)len,
	              base, ending);
}

static int draw_one(const struct xt_report_format *format, const json_t *json, const char *path,
                    const struct report_options *options, struct xt_err *err)
{
	struct xt_buf target = {0};
	int status;

	if (options->output && !is_folder(options->output)) {
		status = xt_report_plot(json, options->output, format->picture, err);
	} else if (options->output) {
		picture_path(options->output, path, format->name, &target);
		status = target.failed ? xt_err_failed(err, "out of memory")
		                       : xt_report_plot(json, target.data, format->picture, err);
	} else {
		picture_path("", path, format->name, &target);
		xt_buf_puts(&target, ".gp");
		status = target.failed ? xt_err_failed(err, "out of memory")
		                       : xt_report_plot_stream(json, stdout, target.data, format->picture, err);
	}
	xt_buf_free(&target);
	return status ? xt_err_context(err, "%s", path) : 0;
}

static int draw_all(const struct xt_report_format *format, const struct records *records,
                    const struct report_options *options, struct xt_err *err)
{
	if (records->n > 1 && (!options->output || !is_folder(options->output)))
		return xt_err_usage(err,
		                    "--format=%s draws one record into one file: %zu were given; "
		                    "--output=FOLDER/ takes one picture of each",
		                    format->name, records->n);
	if (!options->output && isatty(STDOUT_FILENO))
		return xt_err_usage(err, "--format=%s: a terminal cannot show a picture; --output=FILE is needed",
		                    format->name);
	for (size_t i = 0; i < records->n; i++) {
		if (records->n > 1 && !xt_report_drawable(records->record[i].json)) {
			xt_log_note("%s: left out: it has no points to draw", records->record[i].path);
			continue;
		}
		if (draw_one(format, records->record[i].json, records->record[i].path, options, err))
			return -1;
	}
	return 0;
}

static int write_to(const struct xt_report_format *format, const struct records *records, FILE *out, struct xt_err *err)
{
	for (size_t i = 0; i < records->n; i++) {
		if (i)
			putc('\n', out);
		if (format->write(records->record[i].json, out, err))
			return xt_err_context(err, "%s", records->record[i].path);
	}
	return 0;
}

static int write_all(const struct xt_report_format *format, const struct records *records, const char *output,
                     struct xt_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory;
	int status;

	if (records->n > 1 && !strcmp(format->name, "json"))
		return xt_err_usage(err, "--format=json shows one record: %zu were given", records->n);
	if (!output)
		return write_to(format, records, stdout, err);
	memory = open_memstream(&text, &len);
	if (!memory)
		return xt_err_failed(err, "%s: %s", output, strerror(errno));
	status = write_to(format, records, memory, err);
	if (fclose(memory) && !status)
		status = xt_err_failed(err, "%s: out of memory", output);
	if (!status)
		status = xt_record_save_text(text, len, output, err);
	free(text);
	return status;
}

int xt_cmd_report(int argc, char **argv, struct xt_err *err)
{
	struct report_options options;
	struct xt_arg_set set = {&table, &options, 0};
	struct xt_arg_rest rest = {0};
	struct records records = {0};
	const struct xt_report_format *format;
	int status;

	if (xt_args_parse(argc, argv, &set, 1, &rest, err))
		return -1;
	if (rest.help) {
		xt_cli_command_help(xt_cli_find(argv[0]), stdout);
		return 0;
	}
	format = &xt_report_formats[options.format];
	status = load_all(&records, &rest, err);
	if (!status && options.output && !is_folder(options.output))
		status = xt_record_check_path(options.output, err);
	if (!status)
		status = format->drawn ? draw_all(format, &records, &options, err)
		                       : write_all(format, &records, options.output, err);
	free_records(&records);
	return status;
}

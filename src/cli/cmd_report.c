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
#include <signal.h>
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
         "table|json|csv|svg|png|html|sysbench|pgbench", "how to show the records; svg and png are drawn by gnuplot"},
	{"output", NULL, XT_ARG_TEXT, offsetof(struct report_options, output), 0, 0, NULL, "FILE",
         "where to write (default: standard output); FOLDER/: one file of each record, named after it"},
};

static const struct xt_arg_table table = {"Report", args, sizeof(args) / sizeof(*args)};

const struct xt_arg_table *const xt_cmd_report_tables[] = {&table, NULL};

struct record {
	char *path;
	json_t *json;
};

/* The records in the order in which they are shown. */
struct records {
	size_t n;
	struct record *record;
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

/* A file in a folder: the record's base name with another ending. */
static void file_in(const char *folder, const char *record, const char *ending, struct xt_buf *out)
{
	const char *base = strrchr(record, '/') ? strrchr(record, '/') + 1 : record;
	size_t len = strlen(base);

	if (len > 5 && !strcmp(base + len - 5, ".json"))
		len -= 5;
	xt_buf_printf(out, "%s%s%.*s.%s", folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "", (int)len,
	              base, ending);
}

static int write_text(const struct xt_report_format *format, const struct records *records, FILE *out,
                      struct xt_err *err)
{
	for (size_t i = 0; i < records->n; i++) {
		if (i)
			putc('\n', out);
		if (format->write(records->record[i].json, out, err))
			return xt_err_context(err, "%s", records->record[i].path);
	}
	return 0;
}

/* Text goes into a file as a whole or not at all. */
static int save_text(const struct xt_report_format *format, const struct records *records, const char *path,
                     struct xt_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	int status;

	if (!memory)
		return xt_err_failed(err, "%s: %s", path, strerror(errno));
	status = write_text(format, records, memory, err);
	if (fclose(memory) && !status)
		status = xt_err_failed(err, "%s: out of memory", path);
	if (!status)
		status = xt_record_save_text(text, len, path, err);
	free(text);
	return status;
}

/* Records that share one file, or the only one. */
static int save_file(const struct xt_report_format *format, const struct records *records, const char *path,
                     struct xt_err *err)
{
	if (format->write)
		return save_text(format, records, path, err);
	if (xt_report_plot(records->record[0].json, path, format->picture, err))
		return xt_err_context(err, "%s", records->record[0].path);
	return 0;
}

/* Each record into a file of its own. */
static int save_folder(const struct xt_report_format *format, const struct records *records, const char *folder,
                       struct xt_err *err)
{
	const char *ending = strcmp(format->name, "table") ? format->name : "txt";

	for (size_t i = 0; i < records->n; i++) {
		struct records one = {1, &records->record[i]};
		struct xt_buf path = {0};
		int status;

		if (!format->write && records->n > 1 && !xt_report_drawable(one.record->json)) {
			xt_log_note("%s: left out: it has no points to draw", one.record->path);
			continue;
		}
		file_in(folder, one.record->path, ending, &path);
		status = path.failed ? xt_err_failed(err, "%s: out of memory", folder)
		                     : save_file(format, &one, path.data, err);
		xt_buf_free(&path);
		if (status)
			return -1;
	}
	return 0;
}

static int draw_on_stdout(const struct xt_report_format *format, const struct record *record, struct xt_err *err)
{
	struct xt_buf keep = {0};
	int status;

	if (isatty(STDOUT_FILENO))
		return xt_err_usage(err, "--format=%s: a terminal cannot show a picture; --output=FILE is needed",
		                    format->name);
	file_in("", record->path, format->name, &keep);
	xt_buf_puts(&keep, ".gp");
	status = keep.failed ? xt_err_failed(err, "out of memory")
	                     : xt_report_plot_stream(record->json, stdout, keep.data, format->picture, err);
	xt_buf_free(&keep);
	return status ? xt_err_context(err, "%s", record->path) : 0;
}

static int show(const struct xt_report_format *format, const struct records *records, const char *output,
                struct xt_err *err)
{
	if (output && is_folder(output))
		return save_folder(format, records, output, err);
	if (format->single && records->n > 1)
		return xt_err_usage(err,
		                    "--format=%s makes one file of one record: %zu were given; --output=FOLDER/ takes "
		                    "one file of each",
		                    format->name, records->n);
	if (output)
		return xt_record_check_path(output, err) ? -1 : save_file(format, records, output, err);
	if (format->write)
		return write_text(format, records, stdout, err);
	return draw_on_stdout(format, records->record, err);
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
	/* A reader that has gone is an error like any other, and so is a limit of file sizes. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	format = &xt_report_formats[options.format];
	status = load_all(&records, &rest, err);
	if (!status)
		status = show(format, &records, options.output, err);
	free_records(&records);
	return status;
}

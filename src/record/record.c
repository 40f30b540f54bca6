/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making, printing and reading records. Knows the head that all records share, not what commands put inside.
 */
#include "config.h"

#include "record/record.h"

#include "base/mono.h"
#include "record/host.h"
#include "record/schema.h"
#include "record/strike.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 12 };

static void utc(char *buf, size_t cap, const char *format)
{
	time_t now = (time_t)(xt_wall_ns() / 1000000000);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, cap, format, &tm);
}

json_t *xt_record_new(const char *schema, int argc, char **argv, uint64_t seed)
{
	char started[32];

	utc(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ");
	return json_pack("{s:s, s:s, s:s, s:o, s:I, s:b, s:o}", "schema", schema, "version", PACKAGE_VERSION, "started",
	                 started, "argv", xt_strike_passwords(argc, argv), "seed", (json_int_t)seed, "interrupted", 0,
	                 "host", xt_host_facts());
}

json_t *xt_json_number(double value)
{
	char text[64];

	if (!isfinite(value))
		return json_null();
	/* There and back in the same locale, so that a figure kept in memory is the one that a reader of the file gets.
	 */
	snprintf(text, sizeof(text), "%.*g", DIGITS, value);
	return json_real(strtod(text, NULL));
}

char *xt_record_text(const json_t *record)
{
	char *body = json_dumps(record, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
	size_t len = body ? strlen(body) : 0;
	char *text = body ? realloc(body, len + 2) : NULL;

	if (!text) {
		free(body);
		return NULL;
	}
	memcpy(text + len, "\n", 2);
	return text;
}

int xt_record_print(const json_t *record, FILE *out, struct xt_err *err)
{
	char *text = xt_record_text(record);
	int bad = text && (fputs(text, out) < 0 || fflush(out));
	int saved = errno;

	if (!text)
		return xt_err_failed(err, "the record cannot be written as JSON: out of memory");
	free(text);
	return bad ? xt_err_failed(err, "cannot write the record: %s", strerror(saved)) : 0;
}

int xt_record_save(const json_t *record, const char *path, struct xt_err *err)
{
	char *text = xt_record_text(record);
	int status;

	if (!text)
		return xt_err_failed(err, "%s: the record cannot be written as JSON: out of memory", path);
	status = xt_record_save_text(text, strlen(text), path, err);
	free(text);
	return status;
}

/* A workload's part of a file name: base name without .sql, anything unusual as '-'. */
static void name_part(const char *workload, char *buf, size_t cap)
{
	const char *base = strrchr(workload, '/') ? strrchr(workload, '/') + 1 : workload;
	size_t len = strlen(base);
	size_t n = 0;

	if (len > 4 && !strcmp(base + len - 4, ".sql"))
		len -= 4;
	for (size_t i = 0; i < len && n + 1 < cap; i++) {
		char c = base[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		             c == '-' || (c == '.' && i > 0);

		buf[n++] = c;
		if (!plain)
			buf[n - 1] = '-';
	}
	buf[n] = '\0';
}

int xt_record_path(char *buf, size_t cap, const char *output, const char *command, const char *workload)
{
	struct stat st;
	size_t len = strlen(output);
	bool slash = len > 0 && output[len - 1] == '/';
	char part[128] = "";
	char stamp[32];

	if (!slash && (stat(output, &st) || !S_ISDIR(st.st_mode)))
		return snprintf(buf, cap, "%s", output) < (int)cap ? 0 : -1;
	if (workload)
		name_part(workload, part, sizeof(part));
	utc(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ");
	for (unsigned copy = 1; copy < 1000; copy++) {
		char suffix[16] = "";

		if (copy > 1)
			snprintf(suffix, sizeof(suffix), "-%u", copy);
		if (snprintf(buf, cap, "%s%s%s%s%s-%s%s.json", output, slash ? "" : "/", command, *part ? "-" : "",
		             part, stamp, suffix) >= (int)cap)
			return -1;
		if (lstat(buf, &st))
			return 0;
	}
	return -1;
}

json_t *xt_record_load(const char *path, struct xt_err *err)
{
	json_error_t why;
	json_t *record;
	FILE *in = fopen(path, "re");
	struct stat st;

	if (!in) {
		xt_err_usage(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (!fstat(fileno(in), &st) && S_ISDIR(st.st_mode)) {
		fclose(in);
		xt_err_usage(err, "%s: is a folder, not a record", path);
		return NULL;
	}
	record = json_loadf(in, JSON_REJECT_DUPLICATES, &why);
	fclose(in);
	if (!record) {
		xt_err_usage(err, "%s:%d:%d: not a JSON record: %s", path, why.line, why.column, why.text);
		return NULL;
	}
	if (xt_schema_check(record, err)) {
		json_decref(record);
		xt_err_context(err, "%s", path);
		return NULL;
	}
	return record;
}

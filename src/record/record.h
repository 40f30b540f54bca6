/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One JSON record per invocation: its head, its file, and numbers as JSON has them. What stands inside is the
 * business of the command that measured it.
 */
#ifndef XT_RECORD_RECORD_H
#define XT_RECORD_RECORD_H

#include "base/err.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define XT_SCHEMA_RUN       "xtime.run/1"
#define XT_SCHEMA_AB        "xtime.ab/1"
#define XT_SCHEMA_CLOCKS    "xtime.clocks/1"
#define XT_SCHEMA_VERIFY    "xtime.verify/1"
#define XT_SCHEMA_COHERENCE "xtime.coherence/1"
#define XT_SCHEMA_REPRODUCE "xtime.reproduce/1"

/* A new record: schema, version, started (now, UTC), argv (passwords struck), seed, interrupted (false), host. The
 * caller adds the rest and owns the reference. NULL when out of memory. Call it once the command line is known to be
 * good and before the measurement; one thread. */
json_t *xt_record_new(const char *schema, int argc, char **argv, uint64_t seed);

/* A number rounded to 12 significant digits, or null for NAN and infinities. New reference. */
json_t *xt_json_number(double value);

/* The text of a record (indented, ends with a newline), to be freed; NULL when out of memory. Numbers have a decimal
 * point in any locale. What xt_record_save writes and `--format=json` prints. */
char *xt_record_text(const json_t *record);

/* As xt_record_text, to a stream. FAILED when it cannot be written. */
int xt_record_print(const json_t *record, FILE *out, struct xt_err *err);

/* Writes the whole file anew: a temporary name in the same folder (made when it alone is missing), fsync, rename, fsync
 * of the folder. On failure the old file stays as it was and nothing is left behind. A path that is there and no
 * regular file (a pipe, /dev/stdout) is written to directly. FAILED with the path and the reason. */
int xt_record_save(const json_t *record, const char *path, struct xt_err *err);

/* The same for any text: xt_record_save without JSON. */
int xt_record_save_text(const char *text, size_t len, const char *path, struct xt_err *err);

/* Where `--output` leads: FILE itself, or DIR/COMMAND-WORKLOAD-UTC.json when output is a folder or ends in '/' (a
 * workload given as a path: its base name without .sql; NULL: left out). A name that is taken gets -2, -3, ... Call it
 * once per invocation. -1 when buf is too small. */
int xt_record_path(char *buf, size_t cap, const char *output, const char *command, const char *workload);

/* Can the path be written, as far as can be told before anything runs? Creates nothing. USAGE naming the path. */
int xt_record_check_path(const char *path, struct xt_err *err);

/* Reads and checks a record (see record/schema.h). NULL and USAGE naming the file, and the line or field. */
json_t *xt_record_load(const char *path, struct xt_err *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of fields, and one walk over a record per row. Fields beyond the table are let through: a later version may
 * add some.
 */
#include "config.h"

#include "record/schema.h"

#include "record/record.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum kind {
	TEXT,
	WHOLE,
	NUMBER,
	BOOL,
	OBJECT,
	ARRAY,
	PAIR, /* array of two numbers */
};

enum {
	NULLABLE = 1,
	OPTIONAL = 2,
};

enum {
	RUN = 1,
	AB = 2,
	CLOCKS = 4,
	VERIFY = 8,
	COHERENCE = 16,
	REPRODUCE = 32,
	ALL = 63,
};

static const struct {
	const char *name;
	unsigned bit;
} schemas[] = {
	{XT_SCHEMA_RUN, RUN},
	{XT_SCHEMA_AB, AB},
	{XT_SCHEMA_CLOCKS, CLOCKS},
	{XT_SCHEMA_VERIFY, VERIFY},
	{XT_SCHEMA_COHERENCE, COHERENCE},
	{XT_SCHEMA_REPRODUCE, REPRODUCE},
};

struct row {
	unsigned schemas;
	const char *path; /* "a.b[].c": [] every element of an array, {} every value of an object */
	enum kind kind;
	unsigned flags;
};

/* A container's row stands before those of what is inside. */
static const struct row rows[] = {
	{ALL, "version", TEXT, 0},
	{ALL, "started", TEXT, 0},
	{ALL, "argv", ARRAY, 0},
	{ALL, "argv[]", TEXT, 0},
	{ALL, "interrupted", BOOL, 0},
	{ALL, "host", OBJECT, 0},
	{ALL, "host.kernel", TEXT, NULLABLE},
	{ALL, "host.cpu", TEXT, NULLABLE},
	{ALL, "host.cpus", WHOLE, NULLABLE},
	{ALL, "host.clocksource", TEXT, NULLABLE},
	{ALL, "host.coarse_resolution_ns", NUMBER, NULLABLE | OPTIONAL},
	{ALL, "host.virtualization", TEXT, NULLABLE | OPTIONAL},
	{ALL, "host.traced", BOOL, NULLABLE | OPTIONAL},
	{AB, "host.kept_awake", BOOL, OPTIONAL},
	{AB | RUN, "workload", OBJECT, 0},
	{AB | RUN, "workload.name", TEXT, 0},
	{AB | RUN, "workload.scripts", ARRAY, OPTIONAL},
	{AB | RUN, "workload.scripts[]", TEXT, 0},
	{AB | RUN, "driver", OBJECT, 0},
	{AB | RUN, "driver.name", TEXT, 0},
	{AB | RUN, "driver.version", TEXT, NULLABLE | OPTIONAL},
	{AB, "arms", ARRAY, 0},
	{AB, "arms[].name", TEXT, 0},
	{AB, "arms[].role", TEXT, 0},
	{AB, "arms[].emulated", OBJECT, NULLABLE | OPTIONAL},
	{AB, "arms[].emulated.clocksource", TEXT, NULLABLE | OPTIONAL},
	{AB, "arms[].emulated.ns", NUMBER, NULLABLE | OPTIONAL},
	{AB, "arms[].emulated.added_ns", NUMBER, NULLABLE | OPTIONAL},
	{AB, "arms[].emulated.serialised", BOOL, NULLABLE | OPTIONAL},
	{AB, "arms[].cost_ns", OBJECT, NULLABLE | OPTIONAL},
	{AB, "arms[].cost_ns{}", NUMBER, NULLABLE | OPTIONAL},
	{AB | RUN, "points", ARRAY, 0},
	{AB | RUN, "points[].threads", WHOLE, 0},
	{AB | RUN, "points[].seconds", NUMBER, NULLABLE},
	{AB | RUN, "points[].partial", BOOL, OPTIONAL},
	{AB | RUN, "points[].transactions", WHOLE, NULLABLE},
	{AB | RUN, "points[].errors", OBJECT, NULLABLE | OPTIONAL},
	{AB | RUN, "points[].errors{}", NUMBER, NULLABLE},
	{AB, "points[].slice_ms", NUMBER, NULLABLE},
	{AB, "points[].blocks", WHOLE, NULLABLE},
	{AB, "points[].blocks_dropped", WHOLE, NULLABLE},
	{AB, "points[].calls_per_transaction", OBJECT, NULLABLE},
	{AB, "points[].calls_per_transaction{}", NUMBER, NULLABLE},
	{AB, "points[].arms", ARRAY, 0},
	{AB, "points[].arms[].name", TEXT, 0},
	{AB, "points[].arms[].role", TEXT, 0},
	{AB, "points[].arms[].tps", NUMBER, NULLABLE},
	{AB, "points[].arms[].tps_ci95", PAIR, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].tps_typical", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].seconds", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].statements", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].calls", OBJECT, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].calls{}", NUMBER, NULLABLE},
	{AB, "points[].arms[].latency_ms", OBJECT, NULLABLE | OPTIONAL},
	{AB, "points[].arms[].latency_ms{}", NUMBER, NULLABLE},
	{AB, "points[].comparisons", ARRAY, 0},
	{AB, "points[].comparisons[].arm", TEXT, 0},
	{AB, "points[].comparisons[].base", TEXT, 0},
	{AB, "points[].comparisons[].ratio", NUMBER, NULLABLE},
	{AB, "points[].comparisons[].ci95", PAIR, NULLABLE},
	{AB, "points[].comparisons[].predicted_ratio", NUMBER, NULLABLE},
	{AB, "points[].comparisons[].verdict", TEXT, NULLABLE},
	{AB, "points[].comparisons[].min_detectable", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].comparisons[].ratio_of_totals", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].comparisons[].lag1", NUMBER, NULLABLE | OPTIONAL},
	{AB, "points[].comparisons[].merged", WHOLE, NULLABLE | OPTIONAL},
	{AB, "points[].references", ARRAY, NULLABLE | OPTIONAL},
	{AB, "points[].references[].name", TEXT, 0},
	{AB, "points[].references[].before_tps", NUMBER, NULLABLE},
	{AB, "points[].references[].after_tps", NUMBER, NULLABLE},
	{AB, "points[].references[].ratio", NUMBER, NULLABLE},
	{RUN, "points[].tps", NUMBER, NULLABLE},
	{RUN, "points[].qps", NUMBER, NULLABLE},
	{RUN, "points[].retries", NUMBER, NULLABLE | OPTIONAL},
	{RUN, "points[].reconnects", NUMBER, NULLABLE | OPTIONAL},
	{RUN, "points[].queries", OBJECT, NULLABLE | OPTIONAL},
	{RUN, "points[].queries{}", NUMBER, NULLABLE},
	{RUN, "points[].latency_ms", OBJECT, NULLABLE},
	{RUN, "points[].latency_ms{}", NUMBER, NULLABLE},
	{RUN, "points[].cpu_us_per_transaction", NUMBER, NULLABLE | OPTIONAL},
	{CLOCKS | VERIFY | COHERENCE, "rows", ARRAY, 0},
	{CLOCKS | VERIFY, "rows[].call", TEXT, 0},
	{CLOCKS | VERIFY, "rows[].path", TEXT, 0},
	{CLOCKS, "rows[].source", TEXT, NULLABLE | OPTIONAL},
	{CLOCKS, "rows[].ns", NUMBER, NULLABLE},
	{CLOCKS, "rows[].ci95", PAIR, NULLABLE},
	{CLOCKS, "rows[].ns_net", NUMBER, NULLABLE | OPTIONAL},
	{CLOCKS, "rows[].resolution_ns", NUMBER, NULLABLE | OPTIONAL},
	{CLOCKS, "rows[].available", BOOL, 0},
	{VERIFY, "rows[].check", TEXT, 0},
	{VERIFY, "rows[].tried", NUMBER, NULLABLE},
	{VERIFY, "rows[].failures", NUMBER, NULLABLE},
	{VERIFY, "rows[].detail", TEXT, NULLABLE | OPTIONAL},
	{COHERENCE, "rows[].implementation", TEXT, 0},
	{COHERENCE, "rows[].first", TEXT, 0},
	{COHERENCE, "rows[].second", TEXT, 0},
	{COHERENCE, "rows[].scope", TEXT, 0},
	{COHERENCE, "rows[].reads", NUMBER, NULLABLE},
	{COHERENCE, "rows[].violations", NUMBER, NULLABLE},
	{COHERENCE, "rows[].max_lag_ms", NUMBER, NULLABLE},
	{REPRODUCE, "which", TEXT, 0},
	{REPRODUCE, "records", ARRAY, 0},
	{REPRODUCE, "claims", ARRAY, 0},
	{REPRODUCE, "claims[].id", TEXT, 0},
	{REPRODUCE, "claims[].claim", TEXT, 0},
	{REPRODUCE, "claims[].published", TEXT, NULLABLE},
	{REPRODUCE, "claims[].measured", TEXT, NULLABLE},
	{REPRODUCE, "claims[].verdict", TEXT, 0},
	{REPRODUCE, "claims[].reason", TEXT, NULLABLE},
};

static const char *kind_name(enum kind kind)
{
	static const char *const name[] = {
		[TEXT] = "a string",    [WHOLE] = "a whole number", [NUMBER] = "a number",  [BOOL] = "true or false",
		[OBJECT] = "an object", [ARRAY] = "an array",       [PAIR] = "two numbers",
	};

	return name[kind];
}

static bool is_kind(const json_t *value, enum kind kind)
{
	switch (kind) {
	case TEXT:
		return json_is_string(value);
	case WHOLE:
		return json_is_integer(value);
	case NUMBER:
		return json_is_number(value);
	case BOOL:
		return json_is_boolean(value);
	case OBJECT:
		return json_is_object(value);
	case ARRAY:
		return json_is_array(value);
	case PAIR:
		return json_array_size(value) == 2 && json_is_number(json_array_get(value, 0)) &&
		       json_is_number(json_array_get(value, 1));
	}
	return false;
}

/* One row on its way down: where it stands, for messages. */
struct walk {
	const struct row *row;
	struct xt_err *err;
};

static int descend(const struct walk *walk, const json_t *value, const char *path, const char *where);

static int check_leaf(const struct walk *walk, const json_t *value, const char *where)
{
	const struct row *row = walk->row;

	if (!value)
		return row->flags & OPTIONAL ? 0 : xt_err_usage(walk->err, "field %s is missing", where);
	if (json_is_null(value) && row->flags & NULLABLE)
		return 0;
	if (!is_kind(value, row->kind))
		return xt_err_usage(walk->err, "field %s must be %s%s", where, kind_name(row->kind),
		                    row->flags & NULLABLE ? " or null" : "");
	return 0;
}

/* Every element or value of a container; what is null or of another kind has been judged by the container's own row. */
static int descend_all(const struct walk *walk, json_t *value, const char *path, const char *where)
{
	char inner[256];
	const char *key;
	json_t *member;
	size_t i;

	if (path[0] == '[') {
		json_array_foreach(value, i, member)
		{
			snprintf(inner, sizeof(inner), "%s[%zu]", where, i);
			if (path[2] && !json_is_object(member))
				return xt_err_usage(walk->err, "field %s must be an object", inner);
			if (descend(walk, member, path + 2, inner))
				return -1;
		}
		return 0;
	}
	json_object_foreach(value, key, member)
	{
		snprintf(inner, sizeof(inner), "%s.%s", where, key);
		if (descend(walk, member, path + 2, inner))
			return -1;
	}
	return 0;
}

static int descend(const struct walk *walk, const json_t *value, const char *path, const char *where)
{
	char key[64];
	char inner[256];
	size_t len;

	if (!*path)
		return check_leaf(walk, value, where);
	if (!value || json_is_null(value))
		return 0;
	if (*path == '[' || *path == '{')
		return descend_all(walk, (json_t *)value, path, where);
	path += *path == '.';
	len = strcspn(path, ".[{");
	snprintf(key, sizeof(key), "%.*s", (int)len, path);
	snprintf(inner, sizeof(inner), "%s%s%s", where, *where ? "." : "", key);
	return descend(walk, json_object_get(value, key), path + len, inner);
}

static int check_rows(const json_t *record, unsigned schema, struct xt_err *err)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct walk walk = {&rows[i], err};

		if (rows[i].schemas & schema && descend(&walk, record, rows[i].path, ""))
			return -1;
	}
	return 0;
}

static int unknown_schema(const char *name, struct xt_err *err)
{
	char known[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "", schemas[i].name);
	return xt_err_usage(err, "field schema is '%.100s'; known: %s", name, known);
}

int xt_schema_check(const json_t *record, struct xt_err *err)
{
	const char *name = json_string_value(json_object_get(record, "schema"));
	unsigned schema = 0;
	json_t *inner;
	size_t i;

	if (!json_is_object(record))
		return xt_err_usage(err, "not a record: an object was expected");
	if (!name)
		return xt_err_usage(err, "not a record: field schema is missing or no string");
	for (i = 0; i < sizeof(schemas) / sizeof(*schemas); i++)
		if (!strcmp(name, schemas[i].name))
			schema = schemas[i].bit;
	if (!schema)
		return unknown_schema(name, err);
	if (check_rows(record, schema, err))
		return -1;
	if (schema != REPRODUCE)
		return 0;
	json_array_foreach(json_object_get(record, "records"), i, inner)
	{
		const char *schema_of = json_string_value(json_object_get(inner, "schema"));

		if (schema_of && !strcmp(schema_of, XT_SCHEMA_REPRODUCE))
			return xt_err_usage(err, "field records[%zu].schema must be of another kind of record", i);
		if (xt_schema_check(inner, err))
			return xt_err_context(err, "records[%zu]", i);
	}
	return 0;
}

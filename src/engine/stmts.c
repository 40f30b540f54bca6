/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statement cache. Interpolated texts live in a hash table threaded by a list in order of use. A statement whose
 * text interpolates one integer (sbtest:{table}) remembers its last value and entry, so that the usual case renders
 * and hashes nothing.
 */
#include "engine/stmts.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_SIZE = 2048 };

struct entry {
	uint64_t hash;
	char *text;
	size_t len;
	struct xt_stmt *stmt;
	struct entry *chain;       /* same bucket */
	struct entry *prev, *next; /* order of use: next is less recent */
	uint64_t serial;           /* unique per fill: tells a reused entry */
};

struct recent {
	int64_t value;
	struct entry *entry;
	uint64_t serial;
};

struct xt_stmts {
	const struct xt_driver *driver;
	struct xt_stmt **fixed; /* by sql id */
	struct recent *recent;  /* by sql id */
	uint32_t ids;
	struct entry *bucket[HASH_SIZE];
	struct entry entries[XT_STMTS_CACHED];
	struct entry *newest, *oldest;
	size_t used;
	uint64_t serial;
	struct xt_buf text;
};

struct xt_stmts *xt_stmts_new(const struct xt_driver *driver, const struct xt_program *program)
{
	struct xt_stmts *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->driver = driver;
	s->ids = xt_program_sql_count(program);
	s->fixed = calloc(s->ids + 1u, sizeof(struct xt_stmt *));
	s->recent = calloc(s->ids + 1u, sizeof(*s->recent));
	if (!s->fixed || !s->recent) {
		xt_stmts_free(s, NULL);
		return NULL;
	}
	return s;
}

void xt_stmts_forget(struct xt_stmts *s)
{
	memset(s->fixed, 0, s->ids * sizeof(struct xt_stmt *));
	memset(s->recent, 0, s->ids * sizeof(*s->recent));
	for (size_t i = 0; i < s->used; i++)
		free(s->entries[i].text);
	memset(s->entries, 0, sizeof(s->entries));
	memset(s->bucket, 0, sizeof(s->bucket));
	s->newest = s->oldest = NULL;
	s->used = 0;
}

void xt_stmts_free(struct xt_stmts *s, struct xt_conn *conn)
{
	if (!s)
		return;
	if (conn && s->fixed) {
		for (uint32_t i = 0; i < s->ids; i++)
			if (s->fixed[i])
				s->driver->unprepare(conn, s->fixed[i]);
		for (size_t i = 0; i < s->used; i++)
			if (s->entries[i].stmt)
				s->driver->unprepare(conn, s->entries[i].stmt);
	}
	for (size_t i = 0; i < s->used; i++)
		free(s->entries[i].text);
	xt_buf_free(&s->text);
	free(s->fixed);
	free(s->recent);
	free(s);
}

static uint64_t hash_text(const char *text, size_t len)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ len;

	for (; len >= 8; text += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, text, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	while (len--)
		h = (h ^ (unsigned char)*text++) * 0x100000001b3u;
	return h ^ (h >> 29);
}

static void unlink_use(struct xt_stmts *s, struct entry *e)
{
	if (e->prev)
		e->prev->next = e->next;
	else
		s->newest = e->next;
	if (e->next)
		e->next->prev = e->prev;
	else
		s->oldest = e->prev;
}

static void link_newest(struct xt_stmts *s, struct entry *e)
{
	e->prev = NULL;
	e->next = s->newest;
	if (s->newest)
		s->newest->prev = e;
	else
		s->oldest = e;
	s->newest = e;
}

static void unlink_chain(struct xt_stmts *s, struct entry *e)
{
	struct entry **p = &s->bucket[e->hash % HASH_SIZE];

	while (*p && *p != e)
		p = &(*p)->chain;
	if (*p)
		*p = e->chain;
}

/* A free entry, linked as newest; drops the least recently used one when all are taken. */
static struct entry *new_entry(struct xt_stmts *s, struct xt_conn *conn)
{
	struct entry *e;

	if (s->used < XT_STMTS_CACHED) {
		e = &s->entries[s->used++];
	} else {
		e = s->oldest;
		unlink_use(s, e);
		unlink_chain(s, e);
		if (e->stmt)
			s->driver->unprepare(conn, e->stmt);
		free(e->text);
	}
	*e = (struct entry){.serial = ++s->serial};
	link_newest(s, e);
	return e;
}

static struct entry *find(struct xt_stmts *s, uint64_t hash)
{
	for (struct entry *e = s->bucket[hash % HASH_SIZE]; e; e = e->chain)
		if (e->hash == hash && e->len == s->text.len && !memcmp(e->text, s->text.data, e->len))
			return e;
	return NULL;
}

/* Finds or prepares the statement whose text is in s->text. */
static enum xt_class cached(struct xt_stmts *s, struct xt_conn *conn, size_t params, struct entry **out,
                            struct xt_err *err)
{
	uint64_t hash = hash_text(s->text.data, s->text.len);
	struct entry *e = find(s, hash);
	struct xt_stmt *stmt;
	enum xt_class class;
	char *text;

	*out = e;
	if (e) {
		if (e != s->newest) {
			unlink_use(s, e);
			link_newest(s, e);
		}
		return XT_OK;
	}
	class = s->driver->prepare(conn, s->text.data, s->text.len, params, &stmt, err);
	if (class != XT_OK)
		return class;
	text = malloc(s->text.len + 1);
	if (!text) {
		s->driver->unprepare(conn, stmt);
		xt_err_failed(err, "out of memory");
		return XT_OTHER;
	}
	memcpy(text, s->text.data, s->text.len + 1);
	e = new_entry(s, conn);
	e->hash = hash;
	e->text = text;
	e->len = s->text.len;
	e->stmt = stmt;
	e->chain = s->bucket[hash % HASH_SIZE];
	s->bucket[hash % HASH_SIZE] = e;
	*out = e;
	return XT_OK;
}

/* The slot of the only interpolated part, or -1. */
static int only_slot(const struct xt_sql *sql)
{
	int slot = -1;

	for (size_t i = 0; i < sql->part_count; i++)
		if (sql->parts[i].kind == XT_PART_INTERPOLATE) {
			if (slot >= 0 && slot != sql->parts[i].slot)
				return -1;
			slot = sql->parts[i].slot;
		}
	return slot;
}

static enum xt_class interpolated(struct xt_stmts *s, struct xt_conn *conn, const struct xt_sql *sql,
                                  const struct xt_env *env, struct xt_stmt **out, struct xt_err *err)
{
	struct recent *recent = &s->recent[sql->id];
	int slot = only_slot(sql);
	const struct xt_value *value = slot >= 0 ? xt_env_get(env, slot) : NULL;
	bool simple = value && value->type == XT_INT;
	struct entry *e;
	enum xt_class class;

	if (simple && recent->entry && recent->value == value->u.i && recent->entry->serial == recent->serial) {
		*out = recent->entry->stmt;
		return XT_OK;
	}
	xt_buf_reset(&s->text);
	if (xt_sql_render(sql->parts, sql->part_count, env, false, &s->text, err))
		return XT_OTHER;
	class = cached(s, conn, sql->param_count, &e, err);
	if (class != XT_OK)
		return class;
	*out = e->stmt;
	if (simple)
		*recent = (struct recent){value->u.i, e, e->serial};
	return XT_OK;
}

enum xt_class xt_stmts_get(struct xt_stmts *s, struct xt_conn *conn, const struct xt_sql *sql, const struct xt_env *env,
                           struct xt_stmt **out, struct xt_err *err)
{
	enum xt_class class;

	if (!sql->text)
		return interpolated(s, conn, sql, env, out, err);
	*out = s->fixed[sql->id];
	if (*out)
		return XT_OK;
	class = s->driver->prepare(conn, sql->text, sql->len, sql->param_count, out, err);
	if (class == XT_OK)
		s->fixed[sql->id] = *out;
	return class;
}

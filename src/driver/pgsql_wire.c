/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The short way for statements whose rows nobody wants, on plain sockets. libpq makes the connection, and everything
 * uncommon goes through it; but it builds a result of every row. Here the same bytes as libpq's (Bind, Describe,
 * Execute, Sync) go out in one send, and pgsql_wire_io.c reads the answer. libpq, which has no part in that, finds the
 * connection as idle as it left it. Pipelines are queued here too. Must not be used over TLS or GSS, or while libpq
 * waits for a result.
 */
#include "driver/pgsql_db.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { OUT_MIN = 4096, NUMBER_MAX = 40, PUSH_AT = 32768 };

/* One result format (text), which ends Bind; Describe and Execute of the unnamed portal; Sync. */
static const unsigned char tail[] = {0, 1, 0, 0, 'D', 0, 0, 0, 6,   'P', 0, 'E', 0,
                                     0, 0, 9, 0, 0,   0, 0, 0, 'S', 0,   0, 0,   4};

/* In a pipeline, whose rows nobody wants, they need not be described either. */
static const unsigned char pipeline_tail[] = {0, 1, 0, 0, 'E', 0, 0, 0, 9, 0, 0, 0, 0, 0};
static const unsigned char sync_message[] = {'S', 0, 0, 0, 4};

static void put32(unsigned char *at, size_t value)
{
	at[0] = (unsigned char)(value >> 24);
	at[1] = (unsigned char)(value >> 16);
	at[2] = (unsigned char)(value >> 8);
	at[3] = (unsigned char)value;
}

static bool is_local(int fd)
{
	int domain = 0;
	socklen_t len = sizeof(domain);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) && domain == AF_UNIX;
}

int xt_wire_init(struct xt_conn *conn)
{
	struct xt_wire *wire = &conn->wire;

	wire->fd = PQsocket(conn->pg);
	wire->usable =
		wire->fd >= 0 && PQprotocolVersion(conn->pg) == 3 && !PQsslInUse(conn->pg) && !PQgssEncInUse(conn->pg);
	if (!wire->usable)
		return 0;
	wire->local = is_local(wire->fd);
	wire->in = malloc(XT_WIRE_IN);
	wire->out = malloc(OUT_MIN);
	wire->out_cap = OUT_MIN;
	return wire->in && wire->out ? 0 : -1;
}

void xt_wire_free(struct xt_conn *conn)
{
	free(conn->wire.in);
	free(conn->wire.out);
}

void xt_wire_set_blocking(struct xt_wire *wire, bool blocking)
{
	int flags;

	if (!wire->usable || wire->blocking == blocking)
		return;
	flags = fcntl(wire->fd, F_GETFL);
	if (flags >= 0 && !fcntl(wire->fd, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK))
		wire->blocking = blocking;
}

int xt_wire_head(struct xt_stmt *stmt)
{
	size_t name = strlen(stmt->name), text = strlen(stmt->text);
	size_t parse = *stmt->name ? 0 : 1 + 4 + 1 + text + 1 + 2;
	unsigned char *at = malloc(parse + 1 + 4 + 1 + name + 1 + 2 + 2);

	if (!at)
		return -1;
	stmt->head = at;
	if (parse) {
		*at = 'P';
		put32(at + 1, parse - 1);
		at[5] = '\0';
		memcpy(at + 6, stmt->text, text + 1);
		memset(at + 6 + text + 1, 0, 2);
		at += parse;
	}
	stmt->bind_at = parse;
	*at = 'B';
	at[5] = '\0';
	memcpy(at + 6, stmt->name, name + 1);
	at += 6 + name + 1;
	at[0] = at[1] = 0;
	at[2] = (unsigned char)(stmt->params >> 8);
	at[3] = (unsigned char)stmt->params;
	stmt->head_len = (size_t)(at + 4 - stmt->head);
	return 0;
}

static int reserve(struct xt_wire *wire, size_t need)
{
	size_t cap = wire->out_cap;
	unsigned char *out;

	if (need <= cap)
		return 0;
	while (cap < need)
		cap *= 2;
	out = realloc(wire->out, cap);
	if (!out)
		return -1;
	wire->out = out;
	wire->out_cap = cap;
	return 0;
}

static size_t put_integer(unsigned char *at, int64_t value)
{
	unsigned char digits[20];
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	size_t n = 0, len = 0;

	do
		digits[n++] = (unsigned char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		at[len++] = '-';
	while (n)
		at[len++] = digits[--n];
	return len;
}

static unsigned char *put_value(unsigned char *at, const struct xt_value *value)
{
	size_t len;

	switch (value->type) {
	case XT_INT:
		len = put_integer(at + 4, value->u.i);
		break;
	case XT_TEXT:
		len = value->len;
		memcpy(at + 4, value->u.s, len);
		break;
	case XT_NULL:
		put32(at, 0xffffffffu);
		return at + 4;
	default:
		len = (size_t)xt_value_print(value, (char *)at + 4, NUMBER_MAX);
		break;
	}
	put32(at, len);
	return at + 4 + len;
}

static enum xt_class no_memory(struct xt_err *err)
{
	xt_err_failed(err, "pgsql: out of memory");
	return XT_OTHER;
}

/* Writes a statement with its values behind the first `at` bytes of wire->out; the new end, 0 when out of memory. */
static size_t put_statement(struct xt_wire *wire, size_t at, const struct xt_stmt *stmt,
                            const struct xt_value *const *params, bool pipeline)
{
	size_t need = at + stmt->head_len + sizeof(tail), tail_len = pipeline ? sizeof(pipeline_tail) : sizeof(tail);
	unsigned char *begin, *end, *bind;

	for (size_t i = 0; i < stmt->params; i++)
		need += 4 + (params[i]->type == XT_TEXT ? params[i]->len : NUMBER_MAX);
	if (reserve(wire, need))
		return 0;
	begin = wire->out + at;
	memcpy(begin, stmt->head, stmt->head_len);
	end = begin + stmt->head_len;
	for (size_t i = 0; i < stmt->params; i++)
		end = put_value(end, params[i]);
	memcpy(end, pipeline ? pipeline_tail : tail, tail_len);
	bind = begin + stmt->bind_at + 1;
	put32(bind, (size_t)(end + 4 - bind));
	return (size_t)(end - wire->out) + tail_len;
}

enum xt_class xt_wire_execute(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                              struct xt_err *err)
{
	size_t len = put_statement(&conn->wire, 0, stmt, params, false);

	conn->wire.simple = false;
	return len ? xt_wire_talk(conn, len, err) : no_memory(err);
}

static enum xt_class queued(struct xt_conn *conn, size_t len, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;

	if (!len)
		return no_memory(err);
	wire->queued = len < PUSH_AT ? len : 0;
	return wire->queued ? XT_OK : xt_wire_push(conn, len, err);
}

enum xt_class xt_wire_queue(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                            struct xt_err *err)
{
	return queued(conn, put_statement(&conn->wire, conn->wire.queued, stmt, params, true), err);
}

enum xt_class xt_wire_queue_parse(struct xt_conn *conn, const struct xt_stmt *stmt, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;
	size_t name = strlen(stmt->name) + 1, text = strlen(stmt->text) + 1, total = 1 + 4 + name + text + 2;
	unsigned char *at;

	if (reserve(wire, wire->queued + total))
		return no_memory(err);
	at = wire->out + wire->queued;
	*at = 'P';
	put32(at + 1, total - 1);
	memcpy(at + 5, stmt->name, name);
	memcpy(at + 5 + name, stmt->text, text);
	memset(at + 5 + name + text, 0, 2);
	return queued(conn, wire->queued + total, err);
}

enum xt_class xt_wire_sync(struct xt_conn *conn, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;
	size_t len = wire->queued;

	wire->queued = 0;
	wire->simple = false;
	if (reserve(wire, len + sizeof(sync_message)))
		return no_memory(err);
	memcpy(wire->out + len, sync_message, sizeof(sync_message));
	return xt_wire_talk(conn, len + sizeof(sync_message), err);
}

enum xt_class xt_wire_close(struct xt_conn *conn, const char *name, struct xt_err *err)
{
	unsigned char *out = conn->wire.out;
	size_t len = strlen(name) + 1;

	out[0] = 'C';
	put32(out + 1, 4 + 1 + len);
	out[5] = 'S';
	memcpy(out + 6, name, len);
	memcpy(out + 6 + len, sync_message, sizeof(sync_message));
	return xt_wire_talk(conn, 6 + len + sizeof(sync_message), err);
}

enum xt_class xt_wire_query(struct xt_conn *conn, const char *text, size_t len, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;

	if (reserve(wire, len + 6))
		return no_memory(err);
	wire->simple = true;
	wire->out[0] = 'Q';
	put32(wire->out + 1, 4 + len + 1);
	memcpy(wire->out + 5, text, len);
	wire->out[5 + len] = '\0';
	return xt_wire_talk(conn, len + 6, err);
}

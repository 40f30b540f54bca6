/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The short way for statements whose rows nobody wants, on plain sockets. libpq makes the connection, and everything
 * uncommon goes through it; but it polls before every read and builds a result of every row. Here the same bytes as
 * libpq's (Bind, Describe, Execute, Sync) go out in one send, and the answer is read by blocking receives and looked
 * through for its end, its transaction state and its errors. libpq, which has no part in that, finds the connection
 * as idle as it left it. Must not be used inside a pipeline, over TLS or GSS, or while libpq waits for a result.
 */
#include "driver/pgsql_db.h"

#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { IN_CAP = 65536, OUT_MIN = 4096, NUMBER_MAX = 40 };

/* One result format (text); Describe and Execute of the unnamed portal; Sync. */
static const unsigned char tail[] = {0, 1, 0, 0, 'D', 0, 0, 0, 6,   'P', 0, 'E', 0,
                                     0, 0, 9, 0, 0,   0, 0, 0, 'S', 0,   0, 0,   4};

static void put32(unsigned char *at, size_t value)
{
	at[0] = (unsigned char)(value >> 24);
	at[1] = (unsigned char)(value >> 16);
	at[2] = (unsigned char)(value >> 8);
	at[3] = (unsigned char)value;
}

static size_t get32(const unsigned char *at)
{
	return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

int xt_wire_init(struct xt_conn *conn)
{
	struct xt_wire *wire = &conn->wire;

	wire->fd = PQsocket(conn->pg);
	wire->usable =
		wire->fd >= 0 && PQprotocolVersion(conn->pg) == 3 && !PQsslInUse(conn->pg) && !PQgssEncInUse(conn->pg);
	if (!wire->usable)
		return 0;
	wire->in = malloc(IN_CAP);
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

/* Fields of an ErrorResponse into error, in the form that libpq gives them; the first error counts. */
static void take_error(struct xt_pg_error *error, const unsigned char *body, size_t len)
{
	const char *field[128] = {NULL};
	const char *at = (const char *)body, *end = at + len;
	int n;

	if (error->set)
		return;
	while (at < end && *at) {
		const char *stop = memchr(at, '\0', (size_t)(end - at));

		if (!stop)
			break;
		field[(unsigned char)*at & 127] = at + 1;
		at = stop + 1;
	}
	error->set = true;
	snprintf(error->sqlstate, sizeof(error->sqlstate), "%.5s", field['C'] ? field['C'] : "");
	if (!field['V'])
		field['V'] = field['S'];
	error->fatal = field['V'] && (!strcmp(field['V'], "FATAL") || !strcmp(field['V'], "PANIC"));
	n = snprintf(error->text, sizeof(error->text), "%s:  %s", field['S'] ? field['S'] : "ERROR",
	             field['M'] ? field['M'] : "");
	if (field['D'] && n >= 0 && (size_t)n < sizeof(error->text))
		n += snprintf(error->text + n, sizeof(error->text) - (size_t)n, "\nDETAIL:  %s", field['D']);
	if (field['H'] && n >= 0 && (size_t)n < sizeof(error->text))
		snprintf(error->text + n, sizeof(error->text) - (size_t)n, "\nHINT:  %s", field['H']);
}

static bool send_all(struct xt_wire *wire, const unsigned char *data, size_t len)
{
	while (len) {
		ssize_t n = send(wire->fd, data, len, MSG_NOSIGNAL);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return false;
		}
		data += n;
		len -= (size_t)n;
	}
	return true;
}

/* Waits for bytes behind wire->end. 0, or -1 with errno (0: the server closed). */
static int receive(struct xt_wire *wire)
{
	ssize_t n;

	if (wire->pos) {
		memmove(wire->in, wire->in + wire->pos, wire->end - wire->pos);
		wire->end -= wire->pos;
		wire->pos = 0;
	}
	do
		n = recv(wire->fd, wire->in + wire->end, IN_CAP - wire->end, 0);
	while (n < 0 && errno == EINTR);
	if (n <= 0) {
		if (!n)
			errno = 0;
		return -1;
	}
	wire->end += (size_t)n;
	return 0;
}

/* Passes over a message (longer than the buffer) of which wire->in holds the beginning only. */
static int skip_long(struct xt_wire *wire, size_t total)
{
	while (wire->end - wire->pos < total) {
		total -= wire->end - wire->pos;
		wire->pos = wire->end = 0;
		if (receive(wire))
			return -1;
	}
	wire->pos += total;
	return 0;
}

/* A script's COPY FROM STDIN would wait for us for ever. It has eaten the Sync that was sent after it. */
static void refuse_copy(struct xt_wire *wire)
{
	static const unsigned char refusal[] = "f\0\0\0\024no data to copy\0S\0\0\0\004";

	send_all(wire, refusal, wire->simple ? 21 : 26);
}

/* Looks at one whole message; 'Z' ends the answer. */
static char look_at(struct xt_conn *conn, const unsigned char *message, size_t total)
{
	switch (message[0]) {
	case 'E':
		take_error(&conn->wire.error, message + 5, total - 5);
		break;
	case 'Z':
		conn->transaction = total > 5 ? (char)message[5] : 'I';
		break;
	case 'G':
		refuse_copy(&conn->wire);
		break;
	}
	return (char)message[0];
}

/* Reads up to and including ReadyForQuery, and what else has come with it (a notice, say). 0 or -1. */
static int read_answer(struct xt_conn *conn)
{
	struct xt_wire *wire = &conn->wire;
	bool ready = false;

	for (;;) {
		while (wire->end - wire->pos >= 5) {
			const unsigned char *message = wire->in + wire->pos;
			size_t total = 1 + get32(message + 1);

			if (total < 5) {
				errno = EPROTO;
				return -1;
			}
			if (wire->end - wire->pos < total) {
				if (total <= IN_CAP)
					break;
				if (message[0] == 'E')
					take_error(&wire->error, message + 5, wire->end - wire->pos - 5);
				if (skip_long(wire, total))
					return -1;
				continue;
			}
			wire->pos += total;
			if (look_at(conn, message, total) == 'Z')
				ready = true;
		}
		if (ready && wire->pos == wire->end)
			return 0;
		if (receive(wire))
			return -1;
	}
}

static enum xt_class lost(struct xt_conn *conn, int number, struct xt_err *err)
{
	conn->lost = true;
	conn->transaction = 'I';
	if (conn->wire.error.set)
		xt_err_failed(err, "%s", conn->wire.error.text);
	else if (number)
		xt_err_failed(err, "the connection to the server is lost: %s", strerror(number));
	else
		xt_err_failed(err, "server closed the connection unexpectedly");
	return XT_LOST;
}

static enum xt_class talk(struct xt_conn *conn, size_t len, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;
	int number = 0;

	if (conn->lost)
		return lost(conn, ENOTCONN, err);
	xt_wire_set_blocking(wire, true);
	wire->error.set = false;
	/* After a failed send the server may still have left its reason for us to read. */
	if (!send_all(wire, wire->out, len))
		number = errno;
	if (read_answer(conn))
		return lost(conn, number ? number : errno, err);
	if (!wire->error.set) {
		if (atomic_load_explicit(&conn->cancelled, memory_order_relaxed)) /* it came too late */
			atomic_store_explicit(&conn->cancelled, false, memory_order_relaxed);
		return XT_OK;
	}
	xt_err_failed(err, "%s", wire->error.text);
	if (wire->error.fatal)
		conn->lost = true;
	return xt_pg_class(conn, wire->error.sqlstate, wire->error.fatal);
}

static enum xt_class no_memory(struct xt_err *err)
{
	xt_err_failed(err, "pgsql: out of memory");
	return XT_OTHER;
}

enum xt_class xt_wire_execute(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                              struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;
	size_t need = stmt->head_len + sizeof(tail);
	unsigned char *at;

	for (size_t i = 0; i < stmt->params; i++)
		need += 4 + (params[i]->type == XT_TEXT ? params[i]->len : NUMBER_MAX);
	if (reserve(wire, need))
		return no_memory(err);
	wire->simple = false;
	memcpy(wire->out, stmt->head, stmt->head_len);
	at = wire->out + stmt->head_len;
	for (size_t i = 0; i < stmt->params; i++)
		at = put_value(at, params[i]);
	memcpy(at, tail, sizeof(tail));
	put32(wire->out + stmt->bind_at + 1, (size_t)(at + 4 - (wire->out + stmt->bind_at + 1)));
	at += sizeof(tail);
	return talk(conn, (size_t)(at - wire->out), err);
}

enum xt_class xt_wire_close(struct xt_conn *conn, const char *name, struct xt_err *err)
{
	static const unsigned char sync[] = {'S', 0, 0, 0, 4};
	unsigned char *out = conn->wire.out;
	size_t len = strlen(name) + 1;

	out[0] = 'C';
	put32(out + 1, 4 + 1 + len);
	out[5] = 'S';
	memcpy(out + 6, name, len);
	memcpy(out + 6 + len, sync, sizeof(sync));
	return talk(conn, 6 + len + sizeof(sync), err);
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
	return talk(conn, len + 6, err);
}

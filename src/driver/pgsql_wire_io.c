/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The short way's traffic: what pgsql_wire.c has written is sent, and the answer is waited for, read and looked
 * through for its end, its transaction state and its errors. Rows are passed over.
 */
#include "driver/pgsql_db.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static size_t get32(const unsigned char *at)
{
	return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
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

/* A receive that sleeps in a Unix socket is woken twice: when the server takes our message (the socket has room again)
 * and when its answer comes. With the server on another CPU the first is a switch to us and back for nothing; it was
 * three in five, and an eighth of the client's CPU time. A poll for input sleeps through it. TCP wakes once. */
static void await(const struct xt_wire *wire)
{
	struct pollfd input = {.fd = wire->fd, .events = POLLIN};

	if (wire->local)
		poll(&input, 1, -1);
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
	do {
		await(wire);
		n = recv(wire->fd, wire->in + wire->end, XT_WIRE_IN - wire->end, 0);
	} while (n < 0 && errno == EINTR);
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

/* A script's COPY FROM STDIN would wait for us for ever. It has eaten the Sync that was sent after it; in a pipeline it
 * may have met another message first, and nobody can tell. */
static int refuse_copy(struct xt_wire *wire, bool pipeline)
{
	static const unsigned char refusal[] = "f\0\0\0\024no data to copy\0S\0\0\0\004";
	size_t len = wire->simple ? 21 : 26;

	if (!pipeline && send(wire->fd, refusal, len, MSG_NOSIGNAL) == (ssize_t)len)
		return 0;
	wire->error = (struct xt_pg_error){true, true, "", "COPY FROM STDIN cannot run in a pipeline"};
	errno = EPROTO;
	return -1;
}

/* Looks at what has been received, message by message; *ready at the end of an answer. 0 or -1. */
static int digest(struct xt_conn *conn, bool *ready)
{
	struct xt_wire *wire = &conn->wire;

	while (wire->end - wire->pos >= 5) {
		const unsigned char *message = wire->in + wire->pos;
		size_t total = 1 + get32(message + 1), here = wire->end - wire->pos;

		if (total < 5) {
			errno = EPROTO;
			return -1;
		}
		if (here < total && total <= XT_WIRE_IN)
			return 0;
		if (message[0] == 'E')
			take_error(&wire->error, message + 5, (here < total ? here : total) - 5);
		if (message[0] == 'G' && refuse_copy(wire, conn->pipeline))
			return -1;
		if (message[0] == 'Z') {
			conn->transaction = total > 5 ? (char)message[5] : 'I';
			*ready = true;
		}
		if (here >= total)
			wire->pos += total;
		else if (skip_long(wire, total))
			return -1;
	}
	return 0;
}

/* Sends len bytes of wire->out. The server may wait for us to read before it reads on. 0 or -1. */
static int send_out(struct xt_conn *conn, size_t len)
{
	struct xt_wire *wire = &conn->wire;
	const unsigned char *data = wire->out;
	bool ready = false;

	while (len) {
		ssize_t n = send(wire->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		struct pollfd can = {.fd = wire->fd, .events = POLLIN | POLLOUT};

		if (n >= 0) {
			data += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			poll(&can, 1, -1);
			if ((can.revents & POLLIN) && (receive(wire) || digest(conn, &ready)))
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

/* Reads up to and including ReadyForQuery, and what else has come with it (a notice, say). 0 or -1. */
static int read_answer(struct xt_conn *conn)
{
	bool ready = false;

	for (;;) {
		if (digest(conn, &ready))
			return -1;
		if (ready && conn->wire.pos == conn->wire.end)
			return 0;
		if (receive(&conn->wire))
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

enum xt_class xt_wire_push(struct xt_conn *conn, size_t len, struct xt_err *err)
{
	if (conn->lost)
		return lost(conn, ENOTCONN, err);
	xt_wire_set_blocking(&conn->wire, true);
	if (!send_out(conn, len))
		return XT_OK;
	/* the server may have left its reason for us to read */
	len = (size_t)errno;
	read_answer(conn);
	return lost(conn, (int)len, err);
}

enum xt_class xt_wire_talk(struct xt_conn *conn, size_t len, struct xt_err *err)
{
	struct xt_wire *wire = &conn->wire;
	enum xt_class class = xt_wire_push(conn, len, err);

	if (class != XT_OK)
		return class;
	if (read_answer(conn))
		return lost(conn, errno, err);
	if (!wire->error.set) {
		if (atomic_load_explicit(&conn->cancelled, memory_order_relaxed)) /* it came too late */
			atomic_store_explicit(&conn->cancelled, false, memory_order_relaxed);
		return XT_OK;
	}
	wire->error.set = false;
	xt_err_failed(err, "%s", wire->error.text);
	if (wire->error.fatal)
		conn->lost = true;
	return xt_pg_class(conn, wire->error.sqlstate, wire->error.fatal);
}

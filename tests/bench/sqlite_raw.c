/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The floor on SQLite: the transaction of oltp_read_write (or oltp_read_only) as a bare loop over prepared statements,
 * one thread, no statistics. What a generator adds to this is its own cost.
 *     bench_sqlite_raw DATABASE SECONDS [read_only]
 * DATABASE is a file that xtime prepared, or :memory:, for which a table of 10,000 rows is made. Prints "tps N".
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 10000, RANGE = 100, POINTS = 10 };
enum { BEGIN, POINT, RANGE_FIRST, RANGE_LAST = 5, INDEX_UPDATE, TEXT_UPDATE, DELETE, INSERT, COMMIT, STATEMENTS };

static const char *const sql[STATEMENTS] = {
	"BEGIN",
	"SELECT c FROM sbtest1 WHERE id=?",
	"SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?",
	"SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?",
	"SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c",
	"SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c",
	"UPDATE sbtest1 SET k=k+1 WHERE id=?",
	"UPDATE sbtest1 SET c=? WHERE id=?",
	"DELETE FROM sbtest1 WHERE id=?",
	"INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)",
	"COMMIT",
};

static uint64_t state = 88172645463325252u;
static char text[121];

static int row_id(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)(state % ROWS) + 1;
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void check(sqlite3 *db, int rc)
{
	if (rc == SQLITE_OK || rc == SQLITE_DONE)
		return;
	fprintf(stderr, "bench_sqlite_raw: %s\n", sqlite3_errmsg(db));
	exit(1);
}

static void step(sqlite3 *db, sqlite3_stmt *st)
{
	int rc;

	do
		rc = sqlite3_step(st);
	while (rc == SQLITE_ROW);
	check(db, rc);
	sqlite3_reset(st);
}

static void load(sqlite3 *db)
{
	static const char make[] =
		"CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL DEFAULT 0,"
		" c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '');"
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<10000)"
		" INSERT INTO sbtest1"
		" SELECT i, abs(random()) % 10000 + 1, hex(randomblob(60)), hex(randomblob(30)) FROM n;"
		"CREATE INDEX k_1 ON sbtest1(k);";

	check(db, sqlite3_exec(db, make, NULL, NULL, NULL));
}

static void reads(sqlite3 *db, sqlite3_stmt **st)
{
	for (int i = 0; i < POINTS; i++) {
		sqlite3_bind_int(st[POINT], 1, row_id());
		step(db, st[POINT]);
	}
	for (int i = RANGE_FIRST; i <= RANGE_LAST; i++) {
		int id = row_id();

		sqlite3_bind_int(st[i], 1, id);
		sqlite3_bind_int(st[i], 2, id + RANGE - 1);
		step(db, st[i]);
	}
}

static void writes(sqlite3 *db, sqlite3_stmt **st)
{
	int id;

	sqlite3_bind_int(st[INDEX_UPDATE], 1, row_id());
	step(db, st[INDEX_UPDATE]);
	sqlite3_bind_text(st[TEXT_UPDATE], 1, text, 119, SQLITE_STATIC);
	sqlite3_bind_int(st[TEXT_UPDATE], 2, row_id());
	step(db, st[TEXT_UPDATE]);
	id = row_id();
	sqlite3_bind_int(st[DELETE], 1, id);
	step(db, st[DELETE]);
	sqlite3_bind_int(st[INSERT], 1, id);
	sqlite3_bind_int(st[INSERT], 2, row_id());
	sqlite3_bind_text(st[INSERT], 3, text, 119, SQLITE_STATIC);
	sqlite3_bind_text(st[INSERT], 4, text, 59, SQLITE_STATIC);
	step(db, st[INSERT]);
}

int main(int argc, char **argv)
{
	sqlite3_stmt *st[STATEMENTS];
	sqlite3 *db;
	double seconds, start, end;
	int read_only = argc > 3 && !strcmp(argv[3], "read_only");
	long done = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: bench_sqlite_raw DATABASE SECONDS [read_only]\n");
		return 2;
	}
	seconds = atof(argv[2]);
	memset(text, '#', sizeof(text) - 1);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (sqlite3_open(argv[1], &db))
		check(db, SQLITE_CANTOPEN);
	check(db, sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;", NULL, NULL, NULL));
	if (!strcmp(argv[1], ":memory:"))
		load(db);
	for (int i = 0; i < STATEMENTS; i++)
		check(db, sqlite3_prepare_v2(db, sql[i], -1, &st[i], NULL));

	start = now_s();
	do {
		step(db, st[BEGIN]);
		reads(db, st);
		if (!read_only)
			writes(db, st);
		step(db, st[COMMIT]);
		done++;
		end = now_s();
	} while (end - start < seconds);
	printf("tps %.1f\n", done / (end - start));
	return 0;
}

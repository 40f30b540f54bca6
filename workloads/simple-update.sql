-- pgbench's simple-update: one balance updated and read, one line of history
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/pgbench_tables.sql

\section run
\set aid random(1, 100000 * :scale)
\set bid random(1, 1 * :scale)
\set tid random(1, 10 * :scale)
\set delta random(-5000, 5000)
\if :is_sqlite
BEGIN IMMEDIATE;
\else
BEGIN;
\endif
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
END;

\section validate
\if :client_id = 0 or :is_sqlite
\check "pgbench_history: rows" :history >= :transactions
\endif

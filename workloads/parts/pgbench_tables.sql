-- The tables of pgbench's scripts at :scale (--scale): options, loading, reading once, dropping.
-- SPDX-License-Identifier: GPL-3.0-or-later
\option init_steps 'dtgvp' "steps of prepare in their order: d drop, t tables, g data by the client, G by the server, v vacuum, p primary keys, f foreign keys"
\option fillfactor 100 min=10 "of the tables, on PostgreSQL"
\option unlogged_tables off "on PostgreSQL"

\section prepare
\set i 1
\repeat length(:init_steps)
\check "--init-steps: a step is one of d, t, g, G, v, p, f" contains('dtgGvpf ', substr(:init_steps, :i, 1))
\set i :i + 1
\endrepeat
\if :is_sqlite
\check "--init-steps: f needs PostgreSQL, SQLite cannot add foreign keys to a table" not contains(:init_steps, 'f')
\endif

-- One step after the other, for all workers.
\set i 1
\repeat length(:init_steps)
\set step substr(:init_steps, :i, 1)
\set i :i + 1
\if :step = 'g'

-- One worker loads in the transaction that empties the tables, which PostgreSQL can do without writing them twice; of
-- several each loads its share of the accounts.
\if :client_id = 0
\if :is_pgsql
\if :threads = 1
BEGIN;
\endif
TRUNCATE TABLE pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers;
\else
DELETE FROM pgbench_accounts;
DELETE FROM pgbench_branches;
DELETE FROM pgbench_history;
DELETE FROM pgbench_tellers;
\endif
\load pgbench_branches :scale bid = :row, bbalance = 0
\load pgbench_tellers 10 * :scale tid = :row, bid = (:row - 1) / 10 + 1, tbalance = 0
\endif
\barrier
\set first 100000 * :scale * :client_id / :threads
\set last 100000 * :scale * (:client_id + 1) / :threads
\load pgbench_accounts :last - :first aid = :first + :row, bid = (:first + :row - 1) / 100000 + 1, abalance = 0, filler = ''
\if :is_pgsql and :threads = 1
COMMIT;
\endif
\elif :client_id = 0
\if :step = 'd'
DROP TABLE IF EXISTS pgbench_history;
DROP TABLE IF EXISTS pgbench_accounts;
DROP TABLE IF EXISTS pgbench_tellers;
DROP TABLE IF EXISTS pgbench_branches;
\elif :step = 't'
\if :is_pgsql
\set unlogged case when :unlogged_tables then 'UNLOGGED ' else '' end
\set aid_type case when :scale >= 20000 then 'bigint' else 'int' end
CREATE :{unlogged}TABLE pgbench_history (tid int, bid int, aid :{aid_type}, delta int, mtime timestamp, filler char(22));
CREATE :{unlogged}TABLE pgbench_tellers (tid int NOT NULL, bid int, tbalance int, filler char(84)) WITH (fillfactor=:{fillfactor});
CREATE :{unlogged}TABLE pgbench_accounts (aid :{aid_type} NOT NULL, bid int, abalance int, filler char(84)) WITH (fillfactor=:{fillfactor});
CREATE :{unlogged}TABLE pgbench_branches (bid int NOT NULL, bbalance int, filler char(88)) WITH (fillfactor=:{fillfactor});
\else
CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
CREATE TABLE pgbench_tellers (tid integer PRIMARY KEY NOT NULL, bid int, tbalance int, filler char(84));
CREATE TABLE pgbench_accounts (aid integer PRIMARY KEY NOT NULL, bid int, abalance int, filler char(84));
CREATE TABLE pgbench_branches (bid integer PRIMARY KEY NOT NULL, bbalance int, filler char(88));
\endif

-- The server makes the rows.
\elif :step = 'G'
\set tellers 10 * :scale
\set accounts 100000 * :scale
\if :is_pgsql
BEGIN;
TRUNCATE TABLE pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers;
INSERT INTO pgbench_branches (bid, bbalance) SELECT bid, 0 FROM generate_series(1, :{scale}) AS bid;
INSERT INTO pgbench_tellers (tid, bid, tbalance) SELECT tid, (tid - 1) / 10 + 1, 0 FROM generate_series(1, :{tellers}) AS tid;
INSERT INTO pgbench_accounts (aid, bid, abalance, filler) SELECT aid, (aid - 1) / 100000 + 1, 0, '' FROM generate_series(1, :{accounts}) AS aid;
COMMIT;
\else
BEGIN IMMEDIATE;
DELETE FROM pgbench_accounts;
DELETE FROM pgbench_branches;
DELETE FROM pgbench_history;
DELETE FROM pgbench_tellers;
WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :scale) INSERT INTO pgbench_branches (bid, bbalance) SELECT n, 0 FROM s;
WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :tellers) INSERT INTO pgbench_tellers (tid, bid, tbalance) SELECT n, (n - 1) / 10 + 1, 0 FROM s;
WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :accounts) INSERT INTO pgbench_accounts (aid, bid, abalance, filler) SELECT n, (n - 1) / 100000 + 1, 0, '' FROM s;
COMMIT;
\endif
\elif :step = 'v'
\if :is_pgsql
VACUUM ANALYZE pgbench_branches;
VACUUM ANALYZE pgbench_tellers;
VACUUM ANALYZE pgbench_accounts;
VACUUM ANALYZE pgbench_history;
\else
VACUUM;
\endif

-- On SQLite the primary keys are made with the tables.
\elif :step = 'p' and :is_pgsql
ALTER TABLE pgbench_branches ADD PRIMARY KEY (bid);
ALTER TABLE pgbench_tellers ADD PRIMARY KEY (tid);
ALTER TABLE pgbench_accounts ADD PRIMARY KEY (aid);
\elif :step = 'f' and :is_pgsql
ALTER TABLE pgbench_tellers ADD CONSTRAINT pgbench_tellers_bid_fkey FOREIGN KEY (bid) REFERENCES pgbench_branches;
ALTER TABLE pgbench_accounts ADD CONSTRAINT pgbench_accounts_bid_fkey FOREIGN KEY (bid) REFERENCES pgbench_branches;
ALTER TABLE pgbench_history ADD CONSTRAINT pgbench_history_bid_fkey FOREIGN KEY (bid) REFERENCES pgbench_branches;
ALTER TABLE pgbench_history ADD CONSTRAINT pgbench_history_tid_fkey FOREIGN KEY (tid) REFERENCES pgbench_tellers;
ALTER TABLE pgbench_history ADD CONSTRAINT pgbench_history_aid_fkey FOREIGN KEY (aid) REFERENCES pgbench_accounts;
\endif
\endif
\barrier
\endrepeat

\section warmup
\if :client_id = 0 or :is_sqlite
SELECT count(*), sum(bbalance), sum(length(filler)) FROM pgbench_branches;
SELECT count(*), sum(tbalance), sum(length(filler)) FROM pgbench_tellers;
SELECT count(*), sum(abalance), sum(length(filler)) FROM pgbench_accounts;
\endif

-- Balances change in all of these at once, or in none.
\section validate
\if :client_id = 0 or :is_sqlite
SELECT count(*) AS rows, min(aid) AS least, max(aid) AS largest, coalesce(sum(abalance), 0) AS abalance FROM pgbench_accounts \gset
\check "pgbench_accounts: rows" :rows = 100000 * :scale
\check "pgbench_accounts: least aid" :least = 1
\check "pgbench_accounts: largest aid" :largest = 100000 * :scale
SELECT count(*) AS rows, min(tid) AS least, max(tid) AS largest, coalesce(sum(tbalance), 0) AS tbalance FROM pgbench_tellers \gset
\check "pgbench_tellers: rows" :rows = 10 * :scale
\check "pgbench_tellers: least tid" :least = 1
\check "pgbench_tellers: largest tid" :largest = 10 * :scale
SELECT count(*) AS rows, min(bid) AS least, max(bid) AS largest, coalesce(sum(bbalance), 0) AS bbalance FROM pgbench_branches \gset
\check "pgbench_branches: rows" :rows = :scale
\check "pgbench_branches: least bid" :least = 1
\check "pgbench_branches: largest bid" :largest = :scale
SELECT count(*) AS rows, coalesce(sum(delta), 0) AS delta, coalesce(min(aid), 1) AS least, coalesce(max(aid), 1) AS largest FROM pgbench_history \gset
\check "pgbench_history: least aid" :least >= 1
\check "pgbench_history: largest aid" :largest <= 100000 * :scale
\check "sum of abalance against sum of delta in pgbench_history" :abalance = :delta
\check "sum of tbalance against sum of bbalance" :tbalance = :bbalance
\set history :rows
\endif

\section cleanup
DROP TABLE IF EXISTS pgbench_history;
DROP TABLE IF EXISTS pgbench_accounts;
DROP TABLE IF EXISTS pgbench_tellers;
DROP TABLE IF EXISTS pgbench_branches;

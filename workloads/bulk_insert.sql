-- sysbench's bulk_insert: a row per transaction, sent many at a time, into a table of each client's own
-- SPDX-License-Identifier: GPL-3.0-or-later
\errors restart
\option table_size 10000 "of sysbench's other tests; accepted, without effect"
\option tables 1 "of sysbench's other tests; accepted, without effect"
\option rows_per_insert 1000 "rows that one INSERT sends"

\section prepare
\set n :client_id + 1
CREATE TABLE IF NOT EXISTS sbtest:{n} (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  PRIMARY KEY (id)
);

\section connect
\set n :client_id + 1
CREATE TABLE IF NOT EXISTS sbtest:{n} (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  PRIMARY KEY (id)
);
\set row 0
\set list ''

\section run
\set row :row + 1
\set list :list || case when :list = '' then '(' else ',(' end || :row || ',' || :row || ')'
\if :row % :rows_per_insert = 0
INSERT INTO sbtest:{n} VALUES :{list};
\set list ''
\endif

-- One worker cleans up, whatever the number of clients was.
\section cleanup
\set n 1
\repeat greatest(:threads, 256)
DROP TABLE IF EXISTS sbtest:{n};
\set n :n + 1
\endrepeat

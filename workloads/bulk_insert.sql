-- sysbench's bulk_insert: a row per transaction, sent many at a time, into a table of each client's own
-- SPDX-License-Identifier: GPL-3.0-or-later
\errors restart
\option table_size 10000 "of sysbench's other tests; accepted, without effect"
\option tables 1 "of sysbench's other tests; accepted, without effect"
\option rows_per_insert 1000 min=1 "rows that one INSERT sends"

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
SELECT coalesce(max(id), 0) AS row FROM sbtest:{n} \aset

\section run
\set row :row + 1
\set list :list || case when :list = '' then '(' else ',(' end || :row || ',' || :row || ')'
\if :row % :rows_per_insert = 0
INSERT INTO sbtest:{n} VALUES :{list};
\set list ''
\endif

-- What has not been sent yet.
\section disconnect
\if :list <> ''
INSERT INTO sbtest:{n} VALUES :{list};
\set list ''
\endif

-- Keys have no gaps, and k is the key.
\section validate
\set n :client_id + 1
SELECT count(*) AS rows, coalesce(min(id), 1) AS least, coalesce(max(id), 0) AS largest, coalesce(sum(id), 0) AS id_sum, coalesce(sum(k), 0) AS k_sum FROM sbtest:{n} \gset
\check "sbtest:{n}: least id" :least = 1
\check "sbtest:{n}: largest id, by the number of rows" :largest = :rows
\check "sbtest:{n}: sum of k, by the sum of id" :k_sum = :id_sum

-- One worker cleans up, whatever the number of clients was.
\section cleanup
\set n 1
\repeat greatest(:threads, 256)
DROP TABLE IF EXISTS sbtest:{n};
\set n :n + 1
\endrepeat

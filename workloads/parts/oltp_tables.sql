-- The tables of sysbench's OLTP tests, each with :rows rows: made, read once, dropped.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Worker i makes the tables i + 1, i + 1 + threads, ...
\section prepare
\set n :client_id + 1
\repeat (:tables - :client_id + :threads - 1) / :threads
\if :is_sqlite
\if :secondary
CREATE TABLE sbtest:{n} (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL
) :{create_table_options};
\else
CREATE TABLE sbtest:{n} (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL,
  PRIMARY KEY (id)
) :{create_table_options};
\endif
\else
BEGIN;
\if :auto_inc and :pgsql_variant = 'redshift'
CREATE TABLE sbtest:{n} (
  id INTEGER IDENTITY(1,1),
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL
) :{create_table_options};
\elif :auto_inc
CREATE TABLE sbtest:{n} (
  id SERIAL,
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL
) :{create_table_options};
\else
CREATE TABLE sbtest:{n} (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL
) :{create_table_options};
\endif
\endif

\load sbtest:{n} :rows id = :row, k = random_default(1, :table_size), \
	c = random_string('###########-###########-###########-###########-###########-###########-###########-###########-###########-###########'), \
	pad = random_string('###########-###########-###########-###########-###########')

\if :secondary
CREATE INDEX xid_:{n} ON sbtest:{n} (id);
\elif :is_pgsql
ALTER TABLE sbtest:{n} ADD PRIMARY KEY (id);
\endif
\if :create_secondary and :pgsql_variant <> 'redshift'
CREATE INDEX k_:{n} ON sbtest:{n} (k);
\endif
\if :is_pgsql
\if :auto_inc and :pgsql_variant <> 'redshift'
SELECT setval('sbtest:{n}_id_seq', greatest(:{rows}, 1), :{rows} > 0);
\endif
COMMIT;
\endif
\set n :n + :threads
\endrepeat

-- The tables of a SQLite file may be a worker's own, so that each reads all of them.
\section warmup
\set n case when :is_sqlite then 1 else :client_id + 1 end
\set step case when :is_sqlite then 1 else :threads end
\repeat (:tables - :n + :step) / :step
SELECT count(*), sum(length(c)), sum(length(pad)) FROM sbtest:{n};
SELECT sum(k) FROM sbtest:{n};
\set n :n + :step
\endrepeat

\section cleanup
\set n 1
\repeat :tables
DROP TABLE IF EXISTS sbtest:{n};
\set n :n + 1
\endrepeat

-- The tables of sysbench's OLTP tests: options, loading, reading once, dropping. Included by the tests.
-- SPDX-License-Identifier: GPL-3.0-or-later
\errors restart

\option tables 1 "number of tables"
\option table_size 10000 "rows in each table"
\option range_size 100 "rows that a range select spans"
\option point_selects 10 "point selects per transaction"
\option simple_ranges 1 "simple range selects per transaction"
\option sum_ranges 1 "SELECT SUM() range selects per transaction"
\option order_ranges 1 "ORDER BY range selects per transaction"
\option distinct_ranges 1 "DISTINCT range selects per transaction"
\option range_selects on "range selects of all four kinds"
\option index_updates 1 "updates of an indexed column per transaction"
\option non_index_updates 1 "updates of a column without index per transaction"
\option delete_inserts 1 "pairs of DELETE and INSERT per transaction"
\option skip_trx off "no explicit transactions: every statement commits"
\option auto_inc on "the database can make the keys"
\option secondary off "a secondary index on id in place of the primary key"
\option create_secondary on "an index on k"
\option create_table_options '' "text behind CREATE TABLE (...)"
\option mysql_storage_engine 'innodb' "for MySQL alone; accepted, without effect"
\option pgsql_variant '' "redshift: no index on k, no DELETE and INSERT"
\option time_calls 0 "time() calls before each statement"

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

\load sbtest:{n} :table_size id = :row, k = random_default(1, :table_size), \
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
SELECT setval('sbtest:{n}_id_seq', greatest(:{table_size}, 1), :{table_size} > 0);
\endif
COMMIT;
\endif
\set n :n + :threads
\endrepeat

\section warmup
\set n :client_id + 1
\repeat (:tables - :client_id + :threads - 1) / :threads
SELECT count(*), sum(length(c)), sum(length(pad)) FROM sbtest:{n};
SELECT sum(k) FROM sbtest:{n};
\set n :n + :threads
\endrepeat

\section connect
\if :pgsql_variant = 'redshift'
\set delete_inserts 0
\endif

\section cleanup
\set n 1
\repeat :tables
DROP TABLE IF EXISTS sbtest:{n};
\set n :n + 1
\endrepeat

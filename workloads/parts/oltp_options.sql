-- The options of sysbench's OLTP tests.
-- SPDX-License-Identifier: GPL-3.0-or-later
\errors restart

\option tables 1 min=1 "number of tables"
\option table_size 10000 min=0 "rows in each table"
\option range_size 100 min=1 "rows that a range select spans"
\option point_selects 10 min=0 "point selects per transaction"
\option simple_ranges 1 min=0 "simple range selects per transaction"
\option sum_ranges 1 min=0 "SELECT SUM() range selects per transaction"
\option order_ranges 1 min=0 "ORDER BY range selects per transaction"
\option distinct_ranges 1 min=0 "DISTINCT range selects per transaction"
\option range_selects on "range selects of all four kinds"
\option index_updates 1 min=0 "updates of an indexed column per transaction"
\option non_index_updates 1 min=0 "updates of a column without index per transaction"
\option delete_inserts 1 min=0 "pairs of DELETE and INSERT per transaction"
\option skip_trx off "no explicit transactions: every statement commits"
\option auto_inc on "the database can make the keys"
\option secondary off "a secondary index on id in place of the primary key"
\option create_secondary on "an index on k"
\option create_table_options '' "text behind CREATE TABLE (...)"
\option mysql_storage_engine 'innodb' "for MySQL alone; accepted, without effect"
\option pgsql_variant '' "redshift: no index on k, no DELETE and INSERT"
\option time_calls 0 min=0 "time() calls before each statement"

\section connect
\if :pgsql_variant = 'redshift'
\set delete_inserts 0
\endif

-- Options and full tables of sysbench's OLTP tests.
-- SPDX-License-Identifier: GPL-3.0-or-later
\include oltp_options.sql

\section prepare
\set rows :table_size
\include oltp_tables.sql

-- A row is deleted and inserted in one transaction, or in two statements where there is none; without a primary key
-- two clients may both insert what one has deleted.
\section validate
\set missing case when :skip_trx then :threads * :delete_inserts else 0 end
\set rows_min :table_size - :missing
\set rows_max case when :secondary then 2 * :table_size + :transactions * :delete_inserts else :table_size end
\set keys_known true
\include oltp_checks.sql

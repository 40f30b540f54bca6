-- sysbench's oltp_delete: one DELETE by key
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_options.sql

\section prepare
\set rows :table_size
\include parts/oltp_tables.sql

\section validate
\set rows_min 0
\set rows_max :table_size
\set keys_known true
\include parts/oltp_checks.sql

\section run
\set t random(1, :tables)
\set id random_default(1, :table_size)
\time :time_calls
DELETE FROM sbtest:{t} WHERE id=:id;

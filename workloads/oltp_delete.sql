-- sysbench's oltp_delete: one DELETE by key
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\set t random(1, :tables)
\set id random_default(1, :table_size)
\time :time_calls
DELETE FROM sbtest:{t} WHERE id=:id;

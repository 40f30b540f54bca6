-- The writes of an OLTP transaction: each kind picks one table.
-- SPDX-License-Identifier: GPL-3.0-or-later
\include oltp_index_updates.sql
\include oltp_non_index_updates.sql

\set t random(1, :tables)
\repeat :delete_inserts
\set id random_default(1, :table_size)
\set k random_default(1, :table_size)
\set c random_string('###########-###########-###########-###########-###########-###########-###########-###########-###########-###########')
\set pad random_string('###########-###########-###########-###########-###########')
\time :time_calls
DELETE FROM sbtest:{t} WHERE id=:id;
\time :time_calls
INSERT INTO sbtest:{t} (id, k, c, pad) VALUES (:id, :k, :c, :pad);
\endrepeat

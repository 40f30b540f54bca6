-- The reads of an OLTP transaction: each kind picks one table.
-- SPDX-License-Identifier: GPL-3.0-or-later
\set t random(1, :tables)
\repeat :point_selects
\set id random_default(1, :table_size)
\time :time_calls
SELECT c FROM sbtest:{t} WHERE id=:id;
\endrepeat

\if :range_selects
\set t random(1, :tables)
\repeat :simple_ranges
\set id random_default(1, :table_size)
\set last :id + :range_size - 1
\time :time_calls
SELECT c FROM sbtest:{t} WHERE id BETWEEN :id AND :last;
\endrepeat

\set t random(1, :tables)
\repeat :sum_ranges
\set id random_default(1, :table_size)
\set last :id + :range_size - 1
\time :time_calls
SELECT SUM(k) FROM sbtest:{t} WHERE id BETWEEN :id AND :last;
\endrepeat

\set t random(1, :tables)
\repeat :order_ranges
\set id random_default(1, :table_size)
\set last :id + :range_size - 1
\time :time_calls
SELECT c FROM sbtest:{t} WHERE id BETWEEN :id AND :last ORDER BY c;
\endrepeat

\set t random(1, :tables)
\repeat :distinct_ranges
\set id random_default(1, :table_size)
\set last :id + :range_size - 1
\time :time_calls
SELECT DISTINCT c FROM sbtest:{t} WHERE id BETWEEN :id AND :last ORDER BY c;
\endrepeat
\endif

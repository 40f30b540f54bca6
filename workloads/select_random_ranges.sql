-- sysbench's select_random_ranges: a count over ranges of k, from the client's own share of them
-- SPDX-License-Identifier: GPL-3.0-or-later
\option number_of_ranges 10 min=1 "ranges"
\option delta 5 min=0 "width of a range"
\include parts/oltp_common.sql

\section connect
\set lo :table_size * :client_id / :threads
\set hi :table_size * (:client_id + 1) / :threads

-- The usual number of ranges as a prepared statement, any other as text.
\section run
\if :number_of_ranges = 10
\set a1 random_default(:lo, :hi)
\set b1 :a1 + :delta
\set a2 random_default(:lo, :hi)
\set b2 :a2 + :delta
\set a3 random_default(:lo, :hi)
\set b3 :a3 + :delta
\set a4 random_default(:lo, :hi)
\set b4 :a4 + :delta
\set a5 random_default(:lo, :hi)
\set b5 :a5 + :delta
\set a6 random_default(:lo, :hi)
\set b6 :a6 + :delta
\set a7 random_default(:lo, :hi)
\set b7 :a7 + :delta
\set a8 random_default(:lo, :hi)
\set b8 :a8 + :delta
\set a9 random_default(:lo, :hi)
\set b9 :a9 + :delta
\set a10 random_default(:lo, :hi)
\set b10 :a10 + :delta
\time :time_calls
SELECT count(k) FROM sbtest1 WHERE k BETWEEN :a1 AND :b1 OR k BETWEEN :a2 AND :b2 OR k BETWEEN :a3 AND :b3 OR k BETWEEN :a4 AND :b4 OR k BETWEEN :a5 AND :b5 OR k BETWEEN :a6 AND :b6 OR k BETWEEN :a7 AND :b7 OR k BETWEEN :a8 AND :b8 OR k BETWEEN :a9 AND :b9 OR k BETWEEN :a10 AND :b10;
\else
\set a random_default(:lo, :hi)
\set list 'k BETWEEN ' || :a || ' AND ' || (:a + :delta)
\repeat :number_of_ranges - 1
\set a random_default(:lo, :hi)
\set list :list || ' OR k BETWEEN ' || :a || ' AND ' || (:a + :delta)
\endrepeat
\time :time_calls
SELECT count(k) FROM sbtest1 WHERE :{list};
\endif

-- sysbench's select_random_points: rows by a list of values of k, from the client's own share of them
-- SPDX-License-Identifier: GPL-3.0-or-later
\option random_points 10 min=1 "values in the list"
\include parts/oltp_common.sql

\section connect
\set lo :table_size * :client_id / :threads
\set hi :table_size * (:client_id + 1) / :threads

-- The usual number of values as a prepared statement, any other as text.
\section run
\if :random_points = 10
\set p1 random_default(:lo, :hi)
\set p2 random_default(:lo, :hi)
\set p3 random_default(:lo, :hi)
\set p4 random_default(:lo, :hi)
\set p5 random_default(:lo, :hi)
\set p6 random_default(:lo, :hi)
\set p7 random_default(:lo, :hi)
\set p8 random_default(:lo, :hi)
\set p9 random_default(:lo, :hi)
\set p10 random_default(:lo, :hi)
\time :time_calls
SELECT id, k, c, pad FROM sbtest1 WHERE k IN (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10);
\else
\set list '' || random_default(:lo, :hi)
\repeat :random_points - 1
\set list :list || ', ' || random_default(:lo, :hi)
\endrepeat
\time :time_calls
SELECT id, k, c, pad FROM sbtest1 WHERE k IN (:{list});
\endif

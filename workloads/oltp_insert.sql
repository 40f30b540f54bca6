-- sysbench's oltp_insert: one INSERT; with --auto-inc=off into empty tables, under keys of the client's making
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_options.sql

\section prepare
\set rows case when :auto_inc then :table_size else 0 end
\include parts/oltp_tables.sql

\section validate
\set rows_min case when :auto_inc then :table_size else 0 end
\set rows_max 1000000000000
\set keys_known false
\include parts/oltp_checks.sql
\if :is_sqlite or :client_id = 0
\set n 1
\set all 0
\repeat :tables
SELECT count(*) AS rows FROM sbtest:{n} \gset
\set all :all + :rows
\set n :n + 1
\endrepeat
\check "all tables: rows" :all >= :tables * :rows_min + :transactions
\endif

-- Keys spread over all 32-bit integers, none twice: a permutation of a count that each client has to itself.
\section connect
\set n :client_id

\section run
\set t random(1, :tables)
\set k random_default(1, :table_size)
\set c random_string('###########-###########-###########-###########-###########-###########-###########-###########-###########-###########')
\set pad random_string('###########-###########-###########-###########-###########')
\if :auto_inc
\time :time_calls
INSERT INTO sbtest:{t} (k, c, pad) VALUES (:k, :c, :pad);
\else
\set id permute(:n, 4294967296, :random_seed) - 2147483648
\set n :n + :threads
\time :time_calls
INSERT INTO sbtest:{t} (id, k, c, pad) VALUES (:id, :k, :c, :pad);
\endif

-- Checks of the tables of sysbench's OLTP tests: between :rows_min and :rows_max rows each, keys, strings.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- The tables of a SQLite file may be a client's own, so that each client looks at all of them.
\section validate
\set digits '[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
\set five :digits || '-' || :digits || '-' || :digits || '-' || :digits || '-' || :digits
\set ten :five || '-' || :five
\set n case when :is_sqlite then 1 else :client_id + 1 end
\set step case when :is_sqlite then 1 else :threads end
\repeat (:tables - :n + :step) / :step
SELECT count(*) AS rows, count(DISTINCT id) AS ids, coalesce(min(k), 1) AS least_k FROM sbtest:{n} \gset
\check "sbtest:{n}: rows" :rows >= :rows_min
\check "sbtest:{n}: rows" :rows <= :rows_max
\if not :secondary
\check "sbtest:{n}: different values of id" :ids = :rows
\endif
\check "sbtest:{n}: least k" :least_k >= 1
\if :keys_known
SELECT coalesce(min(id), 1) AS least, coalesce(max(id), 1) AS largest FROM sbtest:{n} \gset
\check "sbtest:{n}: least id" :least >= 1
\check "sbtest:{n}: largest id" :largest <= :table_size
\endif
\if :is_sqlite
SELECT count(*) AS bad_c FROM sbtest:{n} WHERE c NOT GLOB :ten \gset
SELECT count(*) AS bad_pad FROM sbtest:{n} WHERE pad NOT GLOB :five \gset
\else
SELECT count(*) AS bad_c FROM sbtest:{n} WHERE c !~ '^([0-9]{11}-){9}[0-9]{11} *$' \gset
SELECT count(*) AS bad_pad FROM sbtest:{n} WHERE pad !~ '^([0-9]{11}-){4}[0-9]{11} *$' \gset
\endif
\check "sbtest:{n}: values of c that are not ten groups of 11 digits" :bad_c = 0
\check "sbtest:{n}: values of pad that are not five groups of 11 digits" :bad_pad = 0
\set n :n + :step
\endrepeat

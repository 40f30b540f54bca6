-- pgbench's select-only: one balance read
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/pgbench_tables.sql

\section run
\set aid random(1, 100000 * :scale)
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;

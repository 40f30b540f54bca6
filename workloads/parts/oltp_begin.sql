-- The start of a writing transaction. SQLite takes the write lock at once: a transaction that reads first and wants to
-- write later can fail with "busy" on a stale snapshot, however long it would wait.
-- SPDX-License-Identifier: GPL-3.0-or-later
\if not :skip_trx
\time :time_calls
\if :is_sqlite
BEGIN IMMEDIATE;
\else
BEGIN;
\endif
\endif

-- sysbench's oltp_read_only: 14 reads, BEGIN and COMMIT per transaction
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\if not :skip_trx
\time :time_calls
BEGIN;
\endif
\include parts/oltp_reads.sql
\include parts/oltp_commit.sql

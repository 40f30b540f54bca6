-- sysbench's oltp_update_index: one UPDATE of the indexed column
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\include parts/oltp_index_updates.sql

-- oltp_read_write with 6 calls of time() before each of its 20 statements: a server that reads the clock
-- SPDX-License-Identifier: GPL-3.0-or-later
\option time_calls 6
\include oltp_read_write.sql

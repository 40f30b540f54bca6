-- nothing but asking the engine for the time, in the forms that it has
-- SPDX-License-Identifier: GPL-3.0-or-later
\ab swap=time,gettimeofday,clock_gettime a=syscall-gettimeofday b=syscall-coarse
\section run
\if :is_sqlite
SELECT CURRENT_TIMESTAMP;
SELECT CURRENT_TIME, CURRENT_DATE;
SELECT datetime('now');
SELECT strftime('%s', 'now');
SELECT julianday('now');
SELECT date('now', 'start of month', '+1 month', '-1 day');
\else
SELECT now();
SELECT CURRENT_TIMESTAMP, CURRENT_DATE, LOCALTIME;
SELECT statement_timestamp();
SELECT clock_timestamp();
SELECT extract(epoch FROM clock_timestamp());
SELECT max(clock_timestamp()) FROM generate_series(1, 10);
\endif

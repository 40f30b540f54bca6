-- events stamped by the engine's clock, and a look at whether the stamps go backwards
-- SPDX-License-Identifier: GPL-3.0-or-later
\ab swap=time,gettimeofday,clock_gettime a=syscall-gettimeofday b=syscall-coarse
\errors restart

-- time_behind gets a row for each event whose stamp is older than one that was committed before its transaction began.
\section prepare
\if :client_id = 0
\if :is_sqlite
CREATE TABLE time_events (id INTEGER PRIMARY KEY, client INTEGER NOT NULL, stamp TEXT NOT NULL);
CREATE TABLE time_behind (id INTEGER PRIMARY KEY, client INTEGER NOT NULL, stamp TEXT NOT NULL, newest TEXT NOT NULL);
\else
CREATE TABLE time_events (id BIGSERIAL PRIMARY KEY, client INTEGER NOT NULL, stamp TIMESTAMPTZ NOT NULL);
CREATE TABLE time_behind (id BIGSERIAL PRIMARY KEY, client INTEGER NOT NULL, stamp TIMESTAMPTZ NOT NULL, newest TIMESTAMPTZ NOT NULL);
\endif
CREATE INDEX time_events_stamp ON time_events (stamp);
\endif

\section run
\if :is_sqlite
SELECT coalesce(max(stamp), '0001-01-01') AS newest FROM time_events \gset
BEGIN IMMEDIATE;
INSERT INTO time_events (client, stamp) VALUES (:client_id, strftime('%Y-%m-%d %H:%M:%f', 'now')) RETURNING stamp, stamp < :newest AS behind, (julianday(:newest) - julianday(stamp)) * 86400000 AS lag_ms \gset
\else
SELECT coalesce(max(stamp), '0001-01-01') AS newest FROM time_events \gset
BEGIN;
INSERT INTO time_events (client, stamp) VALUES (:client_id, clock_timestamp()) RETURNING stamp, (stamp < :newest)::int AS behind, extract(epoch FROM :newest - stamp) * 1000 AS lag_ms \gset
\endif
\if :behind
INSERT INTO time_behind (client, stamp, newest) VALUES (:client_id, :stamp, :newest);
\endif
COMMIT;
\figure late_stamps sum :behind
\figure largest_lag_ms max case when :behind then :lag_ms end

\section validate
\if :client_id = 0 or :is_sqlite
SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM time_events \gset
\check "time_events: rows" :rows >= :transactions
\check "time_events: different values of id" :ids = :rows
SELECT count(*) AS behind FROM time_behind \gset
\check "time_behind: rows" :behind <= :rows
SELECT count(*) AS wrong FROM time_behind WHERE stamp >= newest \gset
\check "time_behind: rows that are not late" :wrong = 0
\endif

\section cleanup
DROP TABLE IF EXISTS time_events;
DROP TABLE IF EXISTS time_behind;

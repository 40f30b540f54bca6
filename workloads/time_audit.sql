-- sessions that are opened, touched, checked and expired by the engine's own clock
-- SPDX-License-Identifier: GPL-3.0-or-later
\ab swap=time,gettimeofday,clock_gettime a=syscall-gettimeofday b=syscall-coarse
\errors restart
\option sessions 10000 min=1 "sessions at the start"
\option accounts 1000 min=1 "accounts that they belong to"
\option ttl 5 min=0 "seconds that a session lives without a touch"

\section prepare
\if :client_id = 0
\if :is_sqlite
CREATE TABLE time_sessions (
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  last_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  expires TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now', '+5 seconds'))
);
\else
CREATE TABLE time_sessions (
  id BIGSERIAL PRIMARY KEY,
  account INTEGER NOT NULL,
  created TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_seen TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  expires TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp() + interval '5 seconds'
);
\endif
\load time_sessions :sessions account = random(1, :accounts)
CREATE INDEX time_sessions_account ON time_sessions (account, last_seen);
\endif

\section warmup
\if :client_id = 0 or :is_sqlite
SELECT count(*), max(created), max(last_seen), max(expires) FROM time_sessions;
\endif

\section connect
\set mine 0

-- Open a session, touch the one opened before, check an account's, expire another's, count the last minute of a third.
-- The number of clock reads does not depend on the data: only single rows read the clock for themselves.
\section run
\set opened random(1, :accounts)
\set checked random(1, :accounts)
\set expired random(1, :accounts)
\set counted random(1, :accounts)
\if :is_sqlite
BEGIN IMMEDIATE;
UPDATE time_sessions SET last_seen = strftime('%Y-%m-%d %H:%M:%f', 'now'), expires = strftime('%Y-%m-%d %H:%M:%f', 'now', '+' || :ttl || ' seconds') WHERE id = :mine;
INSERT INTO time_sessions (account, created, last_seen, expires) VALUES (:opened, strftime('%Y-%m-%d %H:%M:%f', 'now'), strftime('%Y-%m-%d %H:%M:%f', 'now'), strftime('%Y-%m-%d %H:%M:%f', 'now', '+' || :ttl || ' seconds')) RETURNING id AS mine \gset
SELECT count(*) FROM time_sessions WHERE account = :checked AND expires > strftime('%Y-%m-%d %H:%M:%f', 'now');
DELETE FROM time_sessions WHERE account = :expired AND expires <= strftime('%Y-%m-%d %H:%M:%f', 'now');
SELECT count(*) FROM time_sessions WHERE account = :counted AND last_seen > strftime('%Y-%m-%d %H:%M:%f', 'now', '-60 seconds');
COMMIT;
\else
BEGIN;
UPDATE time_sessions SET last_seen = clock_timestamp(), expires = clock_timestamp() + make_interval(secs => :ttl) WHERE id = :mine;
INSERT INTO time_sessions (account, created, last_seen, expires) VALUES (:opened, now(), clock_timestamp(), clock_timestamp() + make_interval(secs => :ttl)) RETURNING id AS mine \gset
SELECT count(*) FROM time_sessions WHERE account = :checked AND expires > statement_timestamp();
DELETE FROM time_sessions WHERE account = :expired AND expires <= statement_timestamp();
SELECT count(*) FROM time_sessions WHERE account = :counted AND last_seen > statement_timestamp() - interval '60 seconds';
COMMIT;
\endif

-- A second is more than the coarse clock and the other one are apart.
\section validate
\if :client_id = 0 or :is_sqlite
\if :is_sqlite
SELECT count(*) AS early FROM time_sessions WHERE julianday(last_seen) < julianday(created) - 1.0 / 86400 \gset
SELECT count(*) AS dead FROM time_sessions WHERE expires < last_seen \gset
\else
SELECT count(*) AS early FROM time_sessions WHERE last_seen < created - interval '1 second' \gset
SELECT count(*) AS dead FROM time_sessions WHERE expires < last_seen - interval '1 second' \gset
\endif
\check "time_sessions: rows last seen before they were created" :early = 0
\check "time_sessions: rows that expired before they were last seen" :dead = 0
SELECT count(*) AS rows, coalesce(min(account), 1) AS least, coalesce(max(account), 1) AS largest FROM time_sessions \gset
\check "time_sessions: least account" :least >= 1
\check "time_sessions: largest account" :largest <= :accounts
\endif

\section cleanup
DROP TABLE IF EXISTS time_sessions;

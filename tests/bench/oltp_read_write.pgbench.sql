-- SPDX-License-Identifier: GPL-3.0-or-later
-- oltp_read_write for pgbench: the same statements, uniform keys, 10,000 rows.
\set a1 random(1,10000)
\set a2 random(1,10000)
\set a3 random(1,10000)
\set a4 random(1,10000)
\set a5 random(1,10000)
\set a6 random(1,10000)
\set a7 random(1,10000)
\set a8 random(1,10000)
\set a9 random(1,10000)
\set a10 random(1,10000)
\set r1 random(1,9900)
\set r2 random(1,9900)
\set r3 random(1,9900)
\set r4 random(1,9900)
\set u1 random(1,10000)
\set u2 random(1,10000)
\set d :client_id * 5000 + random(1,5000)
BEGIN;
SELECT c FROM sbtest1 WHERE id=:a1;
SELECT c FROM sbtest1 WHERE id=:a2;
SELECT c FROM sbtest1 WHERE id=:a3;
SELECT c FROM sbtest1 WHERE id=:a4;
SELECT c FROM sbtest1 WHERE id=:a5;
SELECT c FROM sbtest1 WHERE id=:a6;
SELECT c FROM sbtest1 WHERE id=:a7;
SELECT c FROM sbtest1 WHERE id=:a8;
SELECT c FROM sbtest1 WHERE id=:a9;
SELECT c FROM sbtest1 WHERE id=:a10;
SELECT c FROM sbtest1 WHERE id BETWEEN :r1 AND :r1+99;
SELECT sum(k) FROM sbtest1 WHERE id BETWEEN :r2 AND :r2+99;
SELECT c FROM sbtest1 WHERE id BETWEEN :r3 AND :r3+99 ORDER BY c;
SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN :r4 AND :r4+99 ORDER BY c;
UPDATE sbtest1 SET k=k+1 WHERE id=:u1;
UPDATE sbtest1 SET c='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' WHERE id=:u2;
DELETE FROM sbtest1 WHERE id=:d;
INSERT INTO sbtest1 (id,k,c,pad) VALUES (:d,:u1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb');
COMMIT;

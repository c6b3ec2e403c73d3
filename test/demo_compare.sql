\pset footer off
\set query `cat test/demo_query.sql`
LOAD 'sliding_prefix';
SET max_parallel_workers_per_gather = 0;

\echo
\echo The plan with sliding_prefix.enabled = off:
EXPLAIN (COSTS OFF) :query;
CREATE TEMP TABLE answer_off AS :query;

SET sliding_prefix.enabled = on;
SET sliding_prefix.debug_require_rewrite = require;
\echo The plan with sliding_prefix.enabled = on:
EXPLAIN (COSTS OFF) :query;
CREATE TEMP TABLE answer_on AS :query;
SET sliding_prefix.debug_require_rewrite = allow;

\echo Three rows of the answer:
SELECT origin, departure, delay_7, delay_30, delay_100, late_100
FROM answer_on WHERE origin = 'ORD' ORDER BY departure DESC LIMIT 3;

\echo Rows in one answer and not in the other (EXCEPT ALL both ways):
SELECT (SELECT count(*) FROM answer_off) AS rows,
       (SELECT count(*) FROM (TABLE answer_off EXCEPT ALL TABLE answer_on) x) AS only_off,
       (SELECT count(*) FROM (TABLE answer_on EXCEPT ALL TABLE answer_off) x) AS only_on;

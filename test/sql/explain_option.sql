-- EXPLAIN (SLIDING_PREFIX), on 18 and later: why the functions of each
-- WindowAgg stay.  Earlier versions refuse the option.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
SELECT plan_of($$SELECT sum(i) OVER (w ROWS 3 PRECEDING), max(i) OVER (w ROWS 3 PRECEDING), min(i) OVER (w ROWS 3 PRECEDING), rank() OVER w
    FROM events WINDOW w AS (PARTITION BY k ORDER BY d)$$, 'SLIDING_PREFIX, COSTS OFF');
SELECT plan_of($$SELECT sum(i) OVER (w ROWS 3 PRECEDING), rank() OVER w FROM events WINDOW w AS (PARTITION BY k ORDER BY d)$$, 'SLIDING_PREFIX off, COSTS OFF');
SELECT plan_of($$SELECT sum(1 / i) OVER w, ntile(2) OVER w FROM events WINDOW w AS (ORDER BY id ROWS 3 PRECEDING)$$, 'SLIDING_PREFIX, COSTS OFF');
SELECT plan_of($$SELECT * FROM (SELECT row_number() OVER (ORDER BY id) AS r FROM events) q WHERE r < 3$$, 'SLIDING_PREFIX, COSTS OFF') ~ 'Not Rewritten: row_number\(\): its node filters' AS line LIMIT 10;
SET sliding_prefix.strategy = windowagg;
SET sliding_prefix.min_total_frame_width = 0;
SELECT plan_of($$SELECT sum(i) OVER (w ROWS 3 PRECEDING), max(i) OVER (w ROWS 3 PRECEDING)
    FROM events WINDOW w AS (PARTITION BY k ORDER BY d)$$, 'SLIDING_PREFIX, COSTS OFF, VERBOSE') ~ 'Not Rewritten: avg';
SET sliding_prefix.enabled = off;
SELECT plan_of($$SELECT sum(i) OVER (w ROWS 3 PRECEDING) FROM events WINDOW w AS (PARTITION BY k ORDER BY d)$$, 'SLIDING_PREFIX, COSTS OFF');
-- the windows of the new nodes have names
SET sliding_prefix.enabled = on;
EXPLAIN (COSTS OFF, VERBOSE) SELECT sum(1::bigint) OVER (PARTITION BY k ORDER BY d ROWS 3 PRECEDING) FROM events ORDER BY 1;

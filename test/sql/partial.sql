-- Functions that qualify beside functions that do not.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

-- what stays is below what is rewritten, in the order it had
\set query 'SELECT id, row_number() OVER w AS r, sum(i) OVER (w ROWS 6 PRECEDING) AS i7, max(i) OVER (w ROWS 6 PRECEDING) AS a7, sum(b) OVER (w ROWS 29 PRECEDING) AS b30, lag(i, 2) OVER w AS l, min(s) OVER (w ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s3, sum(i) OVER (w ROWS UNBOUNDED PRECEDING) AS iall FROM events WINDOW w AS (PARTITION BY k ORDER BY d, id)'
SELECT plan_of(:'query');
SELECT compare(:'query', 'allow');

-- a node can lose some of its functions and keep others
SELECT plan_of($$SELECT sum(i) OVER w, max(i) OVER w, sum(s) OVER w FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$);
SELECT compare($$SELECT sum(i) OVER w AS c1, max(i) OVER w AS c2, sum(s) OVER w AS c3 FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$, 'allow');

-- FILTER, subqueries, whole rows and volatile calls in what stays
SELECT compare($$SELECT id, sum(i) OVER w AS c2, sum(i) FILTER (WHERE s > 0) OVER w AS c3,
    max((SELECT max(id) FROM events e2 WHERE e2.d = e1.k)) OVER w AS c4,
    max(note) OVER w AS c5, count(random()) OVER w AS c6, last_value(note) OVER w AS c7 FROM events e1 WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$, 'allow');

-- expressions that mix both kinds, and subqueries over results
SELECT compare($$SELECT id, sum(i) OVER w - lag(i) OVER w AS c2, max(s) OVER w * sum(s) OVER w AS c3,
    (SELECT count(*) FROM events e2 WHERE e2.id < e1.s) + sum(s) OVER w AS c4
    FROM events e1 WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$, 'allow');

-- a frame that looks ahead beside one that does not
SELECT compare($$SELECT id, lead(i, 3) OVER w AS c2, ntile(4) OVER w AS c3, sum(i) OVER (w ROWS 3 PRECEDING) AS c4, percent_rank() OVER w AS c5 FROM events WINDOW w AS (PARTITION BY k ORDER BY d)$$, 'allow');

-- different partitions or sorts on top of each other
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 3 PRECEDING) AS c2, rank() OVER (ORDER BY note) AS c3,
    sum(i) OVER (PARTITION BY d ORDER BY id ROWS 3 PRECEDING) AS c4, count(*) OVER (PARTITION BY k) AS c5 FROM events$$, 'allow');

-- a window over a window of a subquery: what depends on a result below is a
-- run of its own; what does not may join it
SELECT plan_of($$SELECT id, sum(x) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) FROM
    (SELECT *, (sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 3 PRECEDING))::bigint AS x FROM events) q$$);
SELECT compare($$SELECT id, sum(x) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) AS c2 FROM
    (SELECT *, (sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 3 PRECEDING))::bigint AS x FROM events) q$$);
SELECT compare($$SELECT id, x, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) AS c3 FROM
    (SELECT id, k, d, i, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 3 PRECEDING) AS x FROM events) q$$);
SELECT compare($$SELECT id, x, y, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) AS c4 FROM
    (SELECT id, k, d, i, random() < 2 AS y, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 3 PRECEDING) AS x FROM events) q$$);
SELECT compare($$SELECT *, sum(x) OVER (PARTITION BY y ORDER BY id ROWS 2 PRECEDING) AS c2, sum(i) OVER (ORDER BY x, id ROWS 2 PRECEDING) AS c3 FROM
    (SELECT id, i, sum(s) OVER w AS x, sum(b) OVER w AS y FROM events WINDOW w AS (ORDER BY id ROWS 3 PRECEDING)) q$$);
SELECT compare($$SELECT *, sum(x) OVER (ORDER BY id ROWS (SELECT 2) PRECEDING) AS c2 FROM
    (SELECT *, sum(x) OVER (ORDER BY id ROWS (SELECT 4) PRECEDING) AS y FROM
    (SELECT id, sum(s) OVER (ORDER BY id ROWS (SELECT 3) PRECEDING) AS x FROM events) q) r$$);

-- run conditions: the node is kept and filters the same rows
SELECT plan_of($$SELECT * FROM (SELECT id, k, sum(i) OVER (PARTITION BY k ORDER BY id ROWS 2 PRECEDING) AS x,
    row_number() OVER (PARTITION BY k ORDER BY id) AS r FROM events) q WHERE r <= 3$$);
SELECT compare($$SELECT * FROM (SELECT id, k, sum(i) OVER (PARTITION BY k ORDER BY id ROWS 2 PRECEDING) AS x,
    row_number() OVER (PARTITION BY k ORDER BY id) AS r FROM events) q WHERE r <= 3$$, 'allow');
SELECT compare($$SELECT * FROM (SELECT id, k, rank() OVER (PARTITION BY k ORDER BY d) AS r,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) AS x FROM events) q WHERE r <= 3$$, 'allow');
SELECT compare($$SELECT * FROM (SELECT id, count(*) OVER (ORDER BY id) AS r,
    sum(i) OVER (ORDER BY id ROWS 2 PRECEDING) AS x, sum(i) OVER (ORDER BY id ROWS 5 PRECEDING) AS y FROM events) q WHERE r <= 3$$, 'allow');
SELECT compare($$SELECT * FROM (SELECT id, k, rank() OVER (PARTITION BY k ORDER BY d, id) AS r,
    sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) AS x FROM events) q WHERE r <= 3 AND x > 0$$, 'allow');

-- an argument that fails does so where stock does: with a lookahead above it,
-- at once; else when its row is reached
CREATE TEMP TABLE divisors AS SELECT id, 5 - id AS x FROM generate_series(1, 10) id;
SELECT lead(x) OVER (ORDER BY id), sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING), ntile(2) OVER (ORDER BY id) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;
SELECT sum(60 / (id - 2)) OVER w, max(q) OVER w FROM (SELECT id, sqrt(3 - id) q FROM divisors ORDER BY id OFFSET 0) s WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);
SET plan_cache_mode = force_generic_plan;
PREPARE divide(int) AS SELECT sum(60 / $1) OVER (ORDER BY id ROWS 1 PRECEDING), max(sqrt(-id)) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;
EXECUTE divide(0);
DEALLOCATE divide;
SET sliding_prefix.enabled = off;
SELECT sum(60 / (id - 2)) OVER w, max(q) OVER w FROM (SELECT id, sqrt(3 - id) q FROM divisors ORDER BY id OFFSET 0) s WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);
PREPARE divide(int) AS SELECT sum(60 / $1) OVER (ORDER BY id ROWS 1 PRECEDING), max(sqrt(-id)) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;
EXECUTE divide(0);
RESET plan_cache_mode;
SELECT lead(x) OVER (ORDER BY id), sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING), ntile(2) OVER (ORDER BY id) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;

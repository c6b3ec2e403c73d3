-- Functions that qualify beside functions that do not.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

-- what stays is below what is rewritten, in the order it had
\set query 'SELECT id, row_number() OVER w AS r, sum(i) OVER (w ROWS 6 PRECEDING) AS i7, avg(i) OVER (w ROWS 6 PRECEDING) AS a7, sum(b) OVER (w ROWS 29 PRECEDING) AS b30, lag(i, 2) OVER w AS l, sum(s) OVER (w ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s3, sum(i) OVER (w ROWS UNBOUNDED PRECEDING) AS iall FROM events WINDOW w AS (PARTITION BY k ORDER BY d, id)'
SELECT plan_of(:'query');
SELECT compare(:'query', 'allow');

-- a node can lose some of its functions and keep others
SELECT plan_of($$SELECT sum(i) OVER w, count(i) OVER w, sum(s) OVER w FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$);
SELECT compare($$SELECT sum(i) OVER w AS c1, count(i) OVER w AS c2, sum(s) OVER w AS c3 FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$, 'allow');

-- FILTER, subqueries, whole rows and volatile calls in what stays
SELECT compare($$SELECT id, sum(i) OVER w AS c2, sum(i) FILTER (WHERE s > 0) OVER w AS c3,
    max((SELECT max(id) FROM events e2 WHERE e2.d = e1.k)) OVER w AS c4,
    count(e1) OVER w AS c5, count(random()) OVER w AS c6, last_value(note) OVER w AS c7 FROM events e1 WINDOW w AS (PARTITION BY k ORDER BY d ROWS 2 PRECEDING)$$, 'allow');

-- expressions that mix both kinds, and subqueries over results
SELECT compare($$SELECT id, sum(i) OVER w - lag(i) OVER w AS c2, avg(s) OVER w * sum(s) OVER w AS c3,
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
SELECT sum(60 / (id - 2)) OVER w, count(q) OVER w FROM (SELECT id, sqrt(3 - id) q FROM divisors ORDER BY id OFFSET 0) s WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);
SET plan_cache_mode = force_generic_plan;
PREPARE divide(int) AS SELECT sum(60 / $1) OVER (ORDER BY id ROWS 1 PRECEDING), avg(sqrt(-id)) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;
EXECUTE divide(0);
DEALLOCATE divide;
SET sliding_prefix.enabled = off;
SELECT sum(60 / (id - 2)) OVER w, count(q) OVER w FROM (SELECT id, sqrt(3 - id) q FROM divisors ORDER BY id OFFSET 0) s WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);
PREPARE divide(int) AS SELECT sum(60 / $1) OVER (ORDER BY id ROWS 1 PRECEDING), avg(sqrt(-id)) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;
EXECUTE divide(0);
RESET plan_cache_mode;
SELECT lead(x) OVER (ORDER BY id), sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING), ntile(2) OVER (ORDER BY id) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors LIMIT 2;
SELECT sum(60 / x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM divisors;

-- rows are read, and arguments evaluated, as far ahead as stock does: errors and
-- side effects of rows that a LIMIT leaves out are the same
SET client_min_messages = error;
CREATE TEMP TABLE ahead AS SELECT id, id AS x, CASE WHEN id = 3 THEN 0 ELSE id END AS y FROM generate_series(1, 50) id;
CREATE INDEX ON ahead (id);
CREATE TEMP TABLE last_days AS SELECT id, id AS x, timestamp '294276-12-28' + id * interval '10 hours' AS t FROM generate_series(1, 9) id;
CREATE INDEX ON last_days (t);
CREATE SEQUENCE reads;
SET enable_sort = off;
SET enable_seqscan = off;
CREATE FUNCTION outcome(query text, enabled text, strategy text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r record;
    result text := '';
BEGIN
    PERFORM set_config('sliding_prefix.enabled', enabled, true);
    PERFORM set_config('sliding_prefix.strategy', strategy, true);
    PERFORM set_config('sliding_prefix.min_total_frame_width', '0', true);
    PERFORM setval('reads', 1);
    BEGIN
        FOR r IN EXECUTE query LOOP
            result := result || r::text;
        END LOOP;
    EXCEPTION WHEN division_by_zero OR numeric_value_out_of_range OR datetime_field_overflow OR invalid_argument_for_power_function THEN
        result := SQLSTATE || ' ' || SQLERRM;
    END;
    RETURN result || ' read ' || currval('reads');
END $$;
CREATE FUNCTION fused_nodes(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('sliding_prefix.strategy', 'fused', true);
    RETURN window_nodes(query);
END $$;
SELECT n, stock, fused = stock AS fused, windowagg = stock AS windowagg, fused_nodes(query)
FROM (SELECT n, query, outcome(query, 'off', 'fused') AS stock, outcome(query, 'on', 'fused') AS fused,
             outcome(query, 'on', 'windowagg') AS windowagg
      FROM (VALUES
    (1, 'SELECT id, sum(q) OVER (ORDER BY id ROWS 1 PRECEDING) FROM (SELECT id, 1 / y q FROM ahead ORDER BY id OFFSET 0) s LIMIT 1'),
    (2, 'SELECT id, sum(q) OVER (ORDER BY id ROWS 1 PRECEDING) FROM (SELECT id, 1 / y q FROM ahead ORDER BY id OFFSET 0) s LIMIT 2'),
    (3, 'SELECT id, sum(1 / y) OVER (ORDER BY id ROWS 1 PRECEDING) FROM ahead LIMIT 2'),
    (4, 'SELECT id, sum(1 / y) OVER (ORDER BY id ROWS 1 PRECEDING), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead LIMIT 2'),
    (5, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), sum(1 / y) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead LIMIT 2'),
    (6, 'SELECT sum(1 / y) OVER (ORDER BY id ROWS 1 PRECEDING), sum(x) OVER (ORDER BY id ROWS 2 PRECEDING),
        sum(x * CASE WHEN id = 2 THEN 2147483647 ELSE 1 END) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead'),
    (7, 'SELECT sum(q) OVER (ORDER BY id ROWS 1 PRECEDING), z * 2147483647 FROM (SELECT id, 1 / y q, id z FROM ahead ORDER BY id OFFSET 0) s'),
    (8, 'SELECT id, sum(q) OVER (ORDER BY id ROWS 1 PRECEDING), sum(q) OVER (ORDER BY id ROWS 2 PRECEDING)
        FROM (SELECT id, nextval(''reads'')::int q FROM ahead ORDER BY id OFFSET 0) s LIMIT 3'),
    (9, 'SELECT id, sum(q) OVER (ORDER BY id ROWS 1 PRECEDING), sum(q + 1) OVER (ORDER BY id ROWS 3 PRECEDING), avg(q) OVER (ORDER BY id ROWS 3 PRECEDING), sum(q) OVER (ORDER BY id ROWS 4 PRECEDING),
        row_number() OVER (ORDER BY id ROWS 4 PRECEDING) FROM (SELECT id, nextval(''reads'')::int q FROM ahead ORDER BY id OFFSET 0) s LIMIT 3'),
    (10, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), sum(1 / y) OVER (PARTITION BY id ORDER BY x ROWS 3 PRECEDING), sum(1 / y) OVER (PARTITION BY id ORDER BY x ROWS 4 PRECEDING) FROM ahead LIMIT 2'),
    (11, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 3'),
    (12, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 4'),
    (13, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 5'),
    (14, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 6'),
    (15, 'SELECT id, count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 3'),
    (16, 'SELECT id, count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 4'),
    (17, 'SELECT id, count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 5'),
    (18, 'SELECT id, count(*) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 6')
    ) v(n, query) OFFSET 0) r ORDER BY n;

-- the same beside every kind of function that stays, in the same window, above
-- or below, with every limit: all of stock's errors and reads, and no others
CREATE FUNCTION seven(x int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 10 / (x - 7)';
CREATE VIEW plain_rows AS SELECT id, x, y FROM ahead;
CREATE VIEW failing_rows AS SELECT id, x, 10 / (id - 4) AS y FROM ahead ORDER BY id OFFSET 0;
CREATE VIEW counted_rows AS SELECT id, nextval('reads')::int AS x, y FROM ahead ORDER BY id OFFSET 0;
SELECT input, limits, count(*) AS queries,
       count(*) FILTER (WHERE stock ~ '^22') AS errors,
       count(*) FILTER (WHERE fused <> stock) AS fused_differ,
       count(*) FILTER (WHERE windowagg <> stock) AS windowagg_differ,
       count(*) FILTER (WHERE nodes !~ '^0') > count(*) / 2 AS most_rewritten
FROM (SELECT input, limits, outcome(query, 'off', 'fused') AS stock, outcome(query, 'on', 'fused') AS fused,
             outcome(query, 'on', 'windowagg') AS windowagg, fused_nodes(query) AS nodes
      FROM (SELECT input, CASE WHEN n = 'ALL' THEN 'no limit' ELSE 'limit' END AS limits,
                   format('SELECT id, %s, id AS last FROM %s ORDER BY id LIMIT %s',
                          replace(replace(functions, 'STAYS', stays), 'FRAME', 'ROWS 2 PRECEDING'), input, n) AS query
            FROM unnest('{plain_rows, failing_rows, counted_rows}'::text[]) input,
                 unnest('{1, 2, 3, 5, ALL}'::text[]) n,
                 unnest(ARRAY['count(*)', 'lead(10 / (id - 3))', 'lead(x, 2)', 'lag(seven(id))', 'avg(10 / (id - 3))', 'row_number()',
                              'ntile(3)', 'sum(x) FILTER (WHERE 1 / y > 0)', 'avg(seven(id))', 'avg(x)',
                              'sum(nextval(''reads'')::int)', 'sum(x::float8)', 'max(x)']) stays,
                 unnest(ARRAY[
                     'sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), STAYS OVER (ORDER BY id FRAME)',
                     'STAYS OVER (ORDER BY id FRAME), sum(x) OVER (ORDER BY id ROWS 1 PRECEDING)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME), count(y) OVER (ORDER BY id FRAME)',
                     'sum(1 / y) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME)',
                     'sum(1 / y) OVER (ORDER BY id ROWS 1 PRECEDING), STAYS OVER (ORDER BY id FRAME)',
                     'sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), STAYS OVER (ORDER BY id), sum(seven(id)) OVER (ORDER BY id ROWS 3 PRECEDING)',
                     'STAYS OVER (ORDER BY id), sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING)',
                     'sum(x) OVER (PARTITION BY id / 3 ORDER BY id FRAME), STAYS OVER (PARTITION BY id / 3 ORDER BY id FRAME)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id RANGE 2 PRECEDING)']) functions
            ) q OFFSET 0) r
GROUP BY input, limits ORDER BY input, limits;
SET sliding_prefix.enabled = on;
-- a function stays where it is, between two replacements or with none, when
-- its errors could show; its window can be shared only with an aggregate
SELECT n, window_nodes(query) FROM (VALUES
    (1, 'SELECT sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), avg(10 / x) OVER (ORDER BY id ROWS 2 PRECEDING), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead'),
    (2, 'SELECT sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), avg(x) OVER (ORDER BY id ROWS 2 PRECEDING), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead'),
    (3, 'SELECT sum(x) OVER w, avg(10 / x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)'),
    (4, 'SELECT sum(x) OVER w, lag(10 / x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)'),
    (5, 'SELECT sum(10 / x) OVER w, avg(x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)')
    ) v(n, query) ORDER BY n;
DROP FUNCTION outcome, fused_nodes;
DROP VIEW plain_rows, failing_rows, counted_rows;
DROP FUNCTION seven;
DROP SEQUENCE reads;

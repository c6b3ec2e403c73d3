-- Sliding sums of each integer type: the answer is stock's, and rewritten.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;

-- one frame, each type, both spellings
SELECT compare($$SELECT id, sum(s) OVER (PARTITION BY k ORDER BY d ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) FROM events$$);
SELECT compare($$SELECT id, sum(b) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) FROM events$$);

-- the types are stock's
SELECT pg_typeof(sum(s) OVER w), pg_typeof(sum(i) OVER w), pg_typeof(sum(b) OVER w)
FROM events WINDOW w AS (ORDER BY id ROWS 1 PRECEDING) LIMIT 1;

-- several measures, widths and growing frames in one run
CREATE VIEW dashboard AS
SELECT id, k, d, note, s, i, b,
       sum(s) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) AS s7,
       sum(s) OVER (PARTITION BY k ORDER BY d ROWS 29 PRECEDING) AS s30,
       sum(i) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) AS i7,
       sum(i) OVER (PARTITION BY k ORDER BY d ROWS 89 PRECEDING) AS i90,
       sum(b) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) AS b7,
       sum(b) OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS ball,
       sum(s) OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS sall
FROM events;
SELECT compare('TABLE dashboard');
SELECT plan_of('TABLE dashboard');
SELECT * FROM dashboard WHERE id BETWEEN 45 AND 52 ORDER BY id;

-- expressions over results, the same function twice, results used by a sort
SELECT compare($$SELECT 1 + sum(i) OVER w AS c1, sum(i) OVER w AS c2, sum(i) OVER w AS c3,
    coalesce(sum(i) OVER w / nullif(sum(s) OVER (PARTITION BY k ORDER BY d ROWS 9 PRECEDING), 0), -1) AS c4 FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 3 PRECEDING)$$);
SELECT compare($$SELECT id, sum(i) OVER w AS c2 FROM events
    WINDOW w AS (PARTITION BY k ORDER BY d ROWS 3 PRECEDING) ORDER BY sum(b) OVER w, id$$);

-- no PARTITION BY; two partition columns; expressions as keys; descending
SELECT compare($$SELECT id, sum(i) OVER (ORDER BY id ROWS 10 PRECEDING) FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k, s IS NULL ORDER BY d, id ROWS 10 PRECEDING) FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY id % 3 ORDER BY -d DESC NULLS LAST ROWS 4 PRECEDING) FROM events$$);

-- measures that are expressions, casts, constants and parameters of the query
SELECT compare($$SELECT id, sum(i + s) OVER w AS c2, sum(i::bigint * 3) OVER w AS c3, sum(1) OVER w AS c4, sum(NULL::int) OVER w AS c5,
    sum(CASE WHEN i > 0 THEN i END) OVER w AS c6, sum(s::int) OVER w AS c7 FROM events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 5 PRECEDING)$$);

-- windows that share an order: ORDER BY d and ORDER BY d, id are one run
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING) AS c2,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 4 PRECEDING) AS c3 FROM events$$);
SELECT plan_of($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 2 PRECEDING),
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 4 PRECEDING) FROM events$$);

-- windows with other partitions or another order are runs of their own
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) AS c2,
    sum(i) OVER (PARTITION BY d ORDER BY k ROWS 4 PRECEDING) AS c3,
    sum(i) OVER (ORDER BY id DESC ROWS 4 PRECEDING) AS c4 FROM events$$);
SELECT window_nodes($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING),
    sum(i) OVER (PARTITION BY d ORDER BY k ROWS 4 PRECEDING),
    sum(i) OVER (ORDER BY id DESC ROWS 4 PRECEDING) FROM events$$);

-- partition columns in another order are the same partitions
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k, d ORDER BY id ROWS 2 PRECEDING) AS c2,
    sum(i) OVER (PARTITION BY d, k ORDER BY id ROWS 1 PRECEDING) AS c3 FROM events$$);

-- a column that is both partition and order key
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY k, id ROWS 2 PRECEDING) FROM events$$);

-- junk columns that are no plain columns keep their places
SELECT compare('SELECT id, sum(i) OVER (PARTITION BY k ORDER BY id ROWS 2 PRECEDING) FROM events ORDER BY k, id, now()');
SELECT compare('SELECT id, sum(i) OVER (PARTITION BY k ORDER BY id ROWS 2 PRECEDING) FROM events ORDER BY k, id, (SELECT 3)');
SELECT compare($$SELECT id, sum(i) OVER w, d AS c3 FROM events WINDOW w AS (ORDER BY k, d, s, i, id ROWS 2 PRECEDING)
    ORDER BY k, d, s, i, id, repeat('x', 50) || 'y'$$);
DO $$
DECLARE
    seven int := 7;
    rec record;
BEGIN
    SELECT id, sum(i) OVER (PARTITION BY k ORDER BY id ROWS 2 PRECEDING) AS x INTO rec FROM events ORDER BY events.k, events.id, seven OFFSET 4;
    RAISE WARNING '%', rec;
END $$;

-- many window functions and many widths
SELECT compare('SELECT ' || string_agg(format(
    'sum(%s) OVER (PARTITION BY k ORDER BY id ROWS %s PRECEDING) AS c%s', (ARRAY['s','i','b'])[1 + n % 3], n / 2, n), ', ')
    || ' FROM events') FROM generate_series(1, 100) n;

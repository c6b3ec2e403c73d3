-- Rows are read, and arguments evaluated, as far ahead as stock does: errors and
-- side effects of rows that a LIMIT leaves out are the same.
LOAD 'sliding_prefix';
SET jit = off;                 -- there are many small queries
SET client_min_messages = error;
CREATE TEMP TABLE ahead AS SELECT id, id AS x, CASE WHEN id = 3 THEN 0 ELSE id END AS y FROM generate_series(1, 50) id;
CREATE INDEX ON ahead (id);
CREATE TEMP TABLE last_days AS SELECT id, id AS x, timestamp '294276-12-28' + id * interval '10 hours' AS t FROM generate_series(1, 9) id;
CREATE INDEX ON last_days (t);
CREATE SEQUENCE reads;
SET enable_sort = off;
SET enable_seqscan = off;
-- The rows of a query, or its error, and how often it called nextval()
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
    EXCEPTION WHEN division_by_zero OR numeric_value_out_of_range OR datetime_field_overflow
        OR datatype_mismatch OR undefined_function OR indeterminate_collation THEN
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
    (9, 'SELECT id, sum(q) OVER (ORDER BY id ROWS 1 PRECEDING), sum(q + 1) OVER (ORDER BY id ROWS 3 PRECEDING), max(q) OVER (ORDER BY id ROWS 3 PRECEDING), sum(q) OVER (ORDER BY id ROWS 4 PRECEDING),
        row_number() OVER (ORDER BY id ROWS 4 PRECEDING) FROM (SELECT id, nextval(''reads'')::int q FROM ahead ORDER BY id OFFSET 0) s LIMIT 3'),
    (10, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), sum(1 / y) OVER (PARTITION BY id ORDER BY x ROWS 3 PRECEDING), sum(1 / y) OVER (PARTITION BY id ORDER BY x ROWS 4 PRECEDING) FROM ahead LIMIT 2'),
    (11, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 3'),
    (12, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 4'),
    (13, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 5'),
    (14, 'SELECT id, sum(x) OVER (ORDER BY t ROWS 1 PRECEDING), max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING) FROM last_days LIMIT 6'),
    (15, 'SELECT id, max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 3'),
    (16, 'SELECT id, max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 4'),
    (17, 'SELECT id, max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 5'),
    (18, 'SELECT id, max(x) OVER (ORDER BY t RANGE BETWEEN ''1 day'' PRECEDING AND ''2 days'' FOLLOWING), sum(x) OVER (ORDER BY t ROWS 1 PRECEDING) FROM last_days LIMIT 6'),
    -- a subquery that fails, or counts, when it is first read
    (19, 'SELECT id, sum(CASE WHEN id = 5 THEN (SELECT 1 / (count(*) - 50) FROM ahead) END) OVER (ORDER BY id ROWS 1 PRECEDING), sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead LIMIT 4'),
    (20, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), max(CASE WHEN id = 5 THEN (SELECT 1 / (count(*) - 50) FROM ahead) END) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead LIMIT 4'),
    (21, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), sum(CASE WHEN id = 6 THEN (SELECT nextval(''reads'')) END) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead LIMIT 5'),
    (22, 'SELECT id, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead WHERE CASE WHEN id = 6 THEN (SELECT 1 / (count(*) - 50) FROM ahead) = 1 ELSE true END LIMIT 4'),
    (23, 'SELECT id, sum(x) OVER w, max(x) OVER w, sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead WHERE CASE WHEN id = 6 THEN (SELECT 1 / (count(*) - 50) FROM ahead) = 1 ELSE true END WINDOW w AS (ORDER BY id ROWS 1 PRECEDING) LIMIT 4'),
    (24, 'SELECT id, p, sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), s2 FROM (SELECT id, (SELECT nextval(''reads'')) p, x, sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) s2 FROM (SELECT id, x, nextval(''reads'') q FROM ahead ORDER BY id OFFSET 0) a WHERE q IS NOT NULL) b LIMIT 4'),
    (25, 'SELECT id, max(x) OVER (ORDER BY id ROWS CASE WHEN 4 IN (SELECT nextval(''reads'') FROM generate_series(1, 3)) THEN 2 ELSE 1 END PRECEDING), sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ahead LIMIT 3'),
    (26, 'SELECT sum(x) OVER w, max(x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS CASE WHEN 2 IN (SELECT nextval(''reads'')) THEN 1 ELSE 2 END PRECEDING) LIMIT 4'),
    -- keys whose comparison fails, and text without a collation
    (27, 'SELECT id, sum(x) OVER (PARTITION BY id, r ORDER BY id ROWS 1 PRECEDING) FROM (SELECT id, x, CASE WHEN id < 3 THEN row(1) ELSE row(''a''::text) END r FROM ahead ORDER BY id OFFSET 0) s WHERE id < 5 LIMIT 2'),
    (28, 'SELECT sum(x) OVER (PARTITION BY row(CASE WHEN id > 0 THEN ''1''::json END) ORDER BY x ROWS 1 PRECEDING) FROM ahead'),
    (29, 'SELECT id, sum(CASE WHEN id = 5 THEN CASE WHEN a = b THEN 1 END END) OVER (ORDER BY id ROWS 1 PRECEDING), sum(x) OVER (ORDER BY id ROWS 2 PRECEDING) FROM (SELECT id, x, ''a'' COLLATE "C" AS a, ''b''::text COLLATE "POSIX" AS b FROM ahead ORDER BY id OFFSET 0) s LIMIT 4'),
    -- a scan that sees what the query does
    (30, 'SELECT x, nextval(''reads''), sum(x) OVER (ORDER BY g ROWS 1 PRECEDING), sum(x) OVER (ORDER BY g ROWS 2 PRECEDING), sum(x) OVER (ORDER BY g ROWS 3 PRECEDING) FROM ((SELECT id::bigint, 0::bigint g FROM ahead WHERE id < 5) UNION ALL SELECT last_value, 0 FROM reads UNION ALL (SELECT id, 0 FROM ahead WHERE id < 3)) s(x, g) WHERE g = 0')
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
                 unnest(ARRAY['min(x)', 'lead(10 / (id - 3))', 'lead(x, 2)', 'lag(seven(id))', 'max(10 / (id - 3))', 'row_number()',
                              'ntile(3)', 'max(x) FILTER (WHERE 1 / y > 0)', 'max(seven(id))', 'max(x)',
                              'sum(nextval(''reads'')::int)', 'sum(x::float8)', 'max(x)']) stays,
                 unnest(ARRAY[
                     'sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), STAYS OVER (ORDER BY id FRAME)',
                     'STAYS OVER (ORDER BY id FRAME), sum(x) OVER (ORDER BY id ROWS 1 PRECEDING)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME)',
                     'sum(x) OVER (ORDER BY id FRAME), STAYS OVER (ORDER BY id FRAME), max(y) OVER (ORDER BY id FRAME)',
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
    (1, 'SELECT sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), max(10 / x) OVER (ORDER BY id ROWS 2 PRECEDING), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead'),
    (2, 'SELECT sum(x) OVER (ORDER BY id ROWS 1 PRECEDING), max(x) OVER (ORDER BY id ROWS 2 PRECEDING), sum(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM ahead'),
    (3, 'SELECT sum(x) OVER w, max(10 / x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)'),
    (4, 'SELECT sum(x) OVER w, lag(10 / x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)'),
    (5, 'SELECT sum(10 / x) OVER w, max(x) OVER w FROM ahead WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)')
    ) v(n, query) ORDER BY n;
DROP FUNCTION outcome, fused_nodes;
DROP VIEW plain_rows, failing_rows, counted_rows;
DROP FUNCTION seven;
DROP SEQUENCE reads;

-- Tables and helpers that the other tests use.
LOAD 'sliding_prefix';
SET client_min_messages = warning;

-- Three integer types, NULLs, ties in the order key, partitions of 1 to 40 rows
CREATE TABLE events (
    id int PRIMARY KEY,
    k int,
    d int,
    s smallint,
    i integer,
    b bigint,
    f float8,
    n numeric(12,2),
    note text
);
INSERT INTO events
SELECT id,
       CASE WHEN id % 97 = 0 THEN NULL ELSE floor(sqrt(id))::int END,
       id / 3,
       CASE WHEN id % 5 = 0 THEN NULL ELSE (id * 7919 % 2000 - 1000)::smallint END,
       CASE WHEN id % 7 < 3 THEN NULL ELSE id * 104729 % 100000 - 50000 END,
       CASE WHEN id % 11 = 0 THEN NULL ELSE id::bigint * 1299709 * 1000003 END,
       id / 3.0,
       id / 4.0,
       repeat(chr(97 + id % 26), id % 50)
FROM generate_series(1, 500) id;
ANALYZE events;

-- Runs a query without and with the rewrite, and compares the answers row by
-- row in the order they came, bit for bit, and their column types.  With the
-- rewrite on, every window function must be rewritten.
CREATE FUNCTION compare(query text, required text DEFAULT 'require')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    nrows bigint;
    nbad bigint;
    stock_types text;
    our_types text;
    memory text := current_setting('work_mem');
BEGIN
    DROP TABLE IF EXISTS pg_temp.stock_answer, pg_temp.our_answer;
    PERFORM set_config('sliding_prefix.debug_require_rewrite', 'allow', true);
    PERFORM set_config('sliding_prefix.enabled', 'off', true);
    -- a wide frame takes stock hours once its tuplestore is on disk
    PERFORM set_config('work_mem', '1GB', true);
    EXECUTE 'CREATE TEMP TABLE stock_answer AS ' || query;
    PERFORM set_config('work_mem', memory, true);
    PERFORM set_config('sliding_prefix.enabled', 'on', true);
    PERFORM set_config('sliding_prefix.debug_require_rewrite', required, true);
    EXECUTE 'CREATE TEMP TABLE our_answer AS ' || query;
    PERFORM set_config('sliding_prefix.debug_require_rewrite', 'allow', true);
    PERFORM set_config('work_mem', '1GB', true);

    EXECUTE $q$
        SELECT count(*),
               count(*) FILTER (WHERE x.line IS NULL OR y.line IS NULL OR record_image_ne(s, o))
        FROM (SELECT row_number() OVER () AS line, stock_answer AS s FROM stock_answer) x
        FULL JOIN (SELECT row_number() OVER () AS line, our_answer AS o FROM our_answer) y
        ON x.line = y.line$q$ INTO nrows, nbad;
    PERFORM set_config('work_mem', memory, true);
    SELECT string_agg(format_type(atttypid, atttypmod), ',' ORDER BY attnum)
        INTO stock_types FROM pg_attribute
        WHERE attrelid = 'pg_temp.stock_answer'::regclass AND attnum > 0;
    SELECT string_agg(format_type(atttypid, atttypmod), ',' ORDER BY attnum)
        INTO our_types FROM pg_attribute
        WHERE attrelid = 'pg_temp.our_answer'::regclass AND attnum > 0;
    RETURN format('%s rows, %s differ%s', nrows, nbad,
                  CASE WHEN stock_types <> our_types THEN ', types differ' END);
END $$;

-- The plan of a query as text, without what differs between versions
CREATE FUNCTION plan_of(query text, options text DEFAULT 'COSTS OFF')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (%s) %s', options, query) LOOP
        CONTINUE WHEN line ~ '^ *(Window: |Storage: |Buffers: |Disabled: |Planning:)';
        line := regexp_replace(line, ' OVER (\(\?\)|w\d+)', '', 'g');
        line := regexp_replace(line, 'rows=(\d+)\.00', 'rows=\1');
        line := regexp_replace(line, '(InitPlan) .*', '\1');
        RETURN NEXT regexp_replace(line, '\m\d+kB', 'NkB', 'g');
    END LOOP;
END $$;

-- How many nodes of each of the two kinds compute window functions in a plan
CREATE FUNCTION window_nodes(query text)
RETURNS text LANGUAGE sql AS $$
    SELECT format('%s SlidingPrefix, %s WindowAgg',
                  count(*) FILTER (WHERE line ~ 'Custom Scan \(SlidingPrefix\)'),
                  count(*) FILTER (WHERE line ~ 'WindowAgg'))
    FROM plan_of(query) AS line
$$;

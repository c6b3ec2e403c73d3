-- Tables and helpers that the other tests use.
LOAD 'sliding_prefix';
SET client_min_messages = warning;
CREATE EXTENSION sliding_prefix;

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

-- Runs a query without the rewrite and with each strategy, and compares the
-- answers row by row in the order they came, bit for bit, and their column
-- types.  With the fused strategy, every window function must be rewritten;
-- of the windowagg strategy it tells how many were.
CREATE FUNCTION answer_difference(ours text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    nrows bigint;
    nbad bigint;
    types_differ boolean;
BEGIN
    EXECUTE format($q$
        SELECT count(*),
               count(*) FILTER (WHERE x.line IS NULL OR y.line IS NULL OR record_image_ne(s, o))
        FROM (SELECT row_number() OVER () AS line, stock_answer AS s FROM stock_answer) x
        FULL JOIN (SELECT row_number() OVER () AS line, %1$I AS o FROM %1$I) y
        ON x.line = y.line$q$, ours) INTO nrows, nbad;
    SELECT count(DISTINCT types) > 1 INTO types_differ FROM (
        SELECT string_agg(format_type(atttypid, atttypmod), ',' ORDER BY attnum) AS types
        FROM pg_attribute WHERE attnum > 0 AND
            attrelid IN ('pg_temp.stock_answer'::regclass, ('pg_temp.' || ours)::regclass)
        GROUP BY attrelid) t;
    RETURN format('%s rows, %s differ%s', nrows, nbad,
                  CASE WHEN types_differ THEN ', types differ' END);
END $$;

CREATE FUNCTION set_rewrite(enabled text, strategy text, required text, work_mem text)
RETURNS void LANGUAGE sql AS $$
    SELECT set_config('sliding_prefix.debug_require_rewrite', required, true),
           set_config('sliding_prefix.enabled', enabled, true),
           set_config('sliding_prefix.strategy', strategy, true),
           set_config('work_mem', work_mem, true);
$$;

CREATE FUNCTION compare(query text, required text DEFAULT 'require')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    memory text := current_setting('work_mem');
    gate text := current_setting('sliding_prefix.min_total_frame_width');
    fused text;
    windowagg text;
    nrewritten text;
BEGIN
    DROP TABLE IF EXISTS pg_temp.stock_answer, pg_temp.our_answer, pg_temp.windowagg_answer;
    -- a wide frame takes stock hours once its tuplestore is on disk
    PERFORM set_rewrite('off', 'fused', 'allow', '1GB');
    EXECUTE 'CREATE TEMP TABLE stock_answer AS ' || query;
    PERFORM set_rewrite('on', 'fused', required, memory);
    EXECUTE 'CREATE TEMP TABLE our_answer AS ' || query;

    PERFORM set_rewrite('on', 'windowagg', 'allow', '1GB');
    PERFORM set_config('sliding_prefix.min_total_frame_width', '0', true);
    EXECUTE 'CREATE TEMP TABLE windowagg_answer AS ' || query;
    SELECT format('%s of %s', count(*) FILTER (WHERE rewritten), count(*)) INTO nrewritten
        FROM sliding_prefix_explain(query);
    PERFORM set_config('sliding_prefix.min_total_frame_width', gate, true);

    PERFORM set_rewrite('on', 'fused', 'allow', '1GB');
    fused := answer_difference('our_answer');
    windowagg := answer_difference('windowagg_answer');
    PERFORM set_rewrite('on', 'fused', 'allow', memory);
    RETURN format('%s; windowagg %s: %s', fused, nrewritten,
                  CASE WHEN windowagg = fused THEN 'same' ELSE windowagg END);
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

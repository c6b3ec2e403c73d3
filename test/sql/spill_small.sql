-- Few rows of wide entries spill too: quick enough for a server under valgrind.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;

CREATE TABLE wide AS
    SELECT id, id % 2 AS k, id % 1000 - 500 AS x, CASE WHEN id % 3 > 0 THEN id::bigint << 35 END AS y
    FROM generate_series(1, 2000) id;
CREATE INDEX ON wide (k, id);
VACUUM ANALYZE wide;
SET enable_seqscan = off;

-- 20 measures, of both cell sizes; heads within a block of the file and far
SELECT 'SELECT id, ' || string_agg(format('sum(%s + %s) OVER (PARTITION BY k ORDER BY id ROWS %s PRECEDING) AS c%s',
    CASE n % 2 WHEN 0 THEN 'x' ELSE 'y' END, n, n * 45, n), ', ') || ' FROM wide' AS query
FROM generate_series(1, 20) n \gset
SET work_mem = '64kB';
SELECT compare(:'query');
SELECT bool_or(line ~ 'Disk: ') AS spills FROM plan_of(:'query', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF') AS line;
SELECT bool_or(line ~ 'Disk: ') AS spills FROM plan_of('SELECT sum(x) OVER (PARTITION BY k ORDER BY id ROWS 5 PRECEDING) FROM wide', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF') AS line;
DROP TABLE wide;

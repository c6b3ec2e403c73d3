-- A ring larger than work_mem spills to a temporary file, with the same results.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64kB';

CREATE TABLE long AS
    SELECT id, id % 2 AS k, (id * 7919::bigint % 1000 - 500)::int AS x, id::bigint * 1000003 AS y
    FROM generate_series(1, 100000) id;
CREATE INDEX ON long (id);
CREATE INDEX ON long (k, id);
VACUUM ANALYZE long;
SET enable_seqscan = off;

-- how much memory and disk, by EXPLAIN ANALYZE: 'none' or a bound on it in kB
CREATE FUNCTION spilled(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
    RETURN format('memory %s, disk %s',
        CASE WHEN (plan -> 0 -> 'Plan' ->> 'Prefix Memory')::int <= 64 THEN 'within work_mem' ELSE plan -> 0 -> 'Plan' ->> 'Prefix Memory' END,
        CASE WHEN plan -> 0 -> 'Plan' -> 'Disk' IS NULL THEN 'none' ELSE plan -> 0 -> 'Plan' ->> 'Disk' END);
END $$;

SELECT spilled('SELECT sum(x) OVER (ORDER BY id ROWS 1000 PRECEDING) FROM long');
SELECT spilled('SELECT sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING) FROM long');
SELECT compare($$SELECT id, sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING) FROM long$$);
-- several readers, near and far, both cell sizes, growing frames, two partitions
SELECT spilled($$SELECT sum(x) OVER (w ROWS 5 PRECEDING), sum(x) OVER (w ROWS 3000 PRECEDING), sum(y) OVER (w ROWS 9999 PRECEDING),
    sum(y) OVER (w ROWS 30000 PRECEDING), sum(x) OVER (w ROWS UNBOUNDED PRECEDING) FROM long WINDOW w AS (PARTITION BY k ORDER BY id)$$) ~ 'disk \d+';
SELECT compare($$SELECT id, sum(x) OVER (w ROWS 5 PRECEDING) AS c2, sum(x) OVER (w ROWS 3000 PRECEDING) AS c3, sum(y) OVER (w ROWS 9999 PRECEDING) AS c4,
    sum(y) OVER (w ROWS 30000 PRECEDING) AS c5, sum(x) OVER (w ROWS UNBOUNDED PRECEDING) AS c6, sum(x) OVER (w ROWS 1023 PRECEDING) AS c7,
    sum(x) OVER (w ROWS 1024 PRECEDING) AS c8, sum(x) OVER (w ROWS 2047 PRECEDING) AS c9, sum(x) OVER (w ROWS 2048 PRECEDING) AS c10 FROM long WINDOW w AS (PARTITION BY k ORDER BY id)$$);
-- a width that no row count reaches does not allocate for it
SELECT spilled('SELECT sum(x) OVER (ORDER BY id ROWS 1000000000 PRECEDING) FROM long WHERE id < 1000');
SELECT compare('SELECT id, sum(x) OVER (ORDER BY id ROWS 1000000000 PRECEDING) AS c2, sum(x) OVER (ORDER BY id ROWS 9223372036854775806 PRECEDING) AS c3 FROM long');
-- entries larger than a block of the file
SELECT compare('SELECT id, md5(ARRAY[' || string_agg(format('sum(x + %s) OVER (ORDER BY id ROWS %s PRECEDING)', n, n % 3 * 300), ', ') ||
    ']::text) FROM long WHERE id <= 2000') FROM generate_series(1, 1200) n;

-- a million rows
SET enable_seqscan = on;
CREATE TABLE million AS SELECT id, (id % 2001 - 1000)::int AS x FROM generate_series(1, 1000500) id;
CREATE INDEX ON million (id);
VACUUM ANALYZE million;
SET enable_seqscan = off;
SELECT compare('SELECT id, sum(x) OVER (ORDER BY id ROWS 1000000 PRECEDING) FROM million');
SELECT spilled('SELECT sum(x) OVER (ORDER BY id ROWS 1000000 PRECEDING) FROM million');

-- rescans reuse nothing of the scan before
SELECT compare($$SELECT n, s.x FROM generate_series(1, 3) n, LATERAL (SELECT sum(x) OVER (ORDER BY id ROWS n * 5000 PRECEDING) AS x
    FROM long WHERE id <= 30000 * n OFFSET 20000) s$$);

-- temporary files are gone after success, error, cancel and a closed cursor
SELECT count(*) FROM pg_ls_tmpdir();
SELECT sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING), 1 / (90000 - id) FROM long;
SELECT count(*) FROM pg_ls_tmpdir();
SET statement_timeout = '300ms';
SELECT max(s.total + n) FROM (SELECT sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING) AS total FROM long OFFSET 0) s, generate_series(1, 1000) n;
RESET statement_timeout;
SELECT count(*) FROM pg_ls_tmpdir();
BEGIN;
DECLARE c CURSOR FOR SELECT id, sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING) AS s FROM long;
MOVE 50000 IN c;
SELECT count(*) FROM pg_ls_tmpdir();
SAVEPOINT s;
FETCH 1 FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
CLOSE c;
SELECT count(*) FROM pg_ls_tmpdir();
COMMIT;
-- a cursor that starts to spill inside a subtransaction survives it
BEGIN;
DECLARE c CURSOR FOR SELECT id, sum(x) OVER (ORDER BY id ROWS 20000 PRECEDING) AS s FROM long;
FETCH 1 FROM c;
SAVEPOINT s;
MOVE 30000 IN c;
RELEASE s;
FETCH 1 FROM c;
COMMIT;
SELECT count(*) FROM pg_ls_tmpdir();
-- the limit on temporary files is obeyed
SET temp_file_limit = '100kB';
\set VERBOSITY sqlstate
SELECT max(s.total) FROM (SELECT sum(x) OVER (ORDER BY id ROWS 50000 PRECEDING) AS total FROM long OFFSET 0) s;
\set VERBOSITY default
RESET temp_file_limit;
SELECT count(*) FROM pg_ls_tmpdir();

DROP TABLE long, million;
DROP FUNCTION spilled;

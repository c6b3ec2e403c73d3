-- Every frame over every type of order key with every aggregate: the answers
-- are stock's, row by row and bit for bit.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
SET timezone = 'Europe/Berlin';
\set SHOW_CONTEXT never

-- Ties, NULLs, NaN, infinities and values near the limits of a type
CREATE TABLE framed AS
    SELECT id, id % 3 AS k,
        CASE WHEN id % 7 > 2 THEN id * 104729 % 1000 - 500 END AS i,
        CASE WHEN id % 8 > 0 THEN (id * 7919 % 65536 - 32768)::smallint END AS s,
        CASE WHEN id % 11 > 0 THEN id::bigint * 1299709 * 1000003 END AS b,
        CASE WHEN id % 6 > 0 THEN CASE WHEN id % 41 = 0 THEN 'NaN' ELSE (id * 7919 % 20000 - 10000) / 100.0 END END::numeric(12,2) AS n,
        CASE WHEN id % 4 > 0 THEN id % 3 = 1 END AS t,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 32767 WHEN id % 29 = 0 THEN -32768 ELSE id / 2 % 30 END::smallint AS int2,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 2147483647 WHEN id % 29 = 0 THEN -2147483648 ELSE id / 2 % 30 END AS int4,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 9223372036854775807 WHEN id % 29 = 0 THEN -9223372036854775808 ELSE id / 2 % 30 END::bigint AS int8,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 'NaN' WHEN id % 29 = 0 THEN '-Infinity' WHEN id % 31 = 0 THEN 'Infinity' ELSE id / 2 % 30 * 0.5 END::real AS float4,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 'NaN' WHEN id % 29 = 0 THEN '-Infinity' WHEN id % 31 = 0 THEN 'Infinity' ELSE id / 2 % 30 * 0.5 END::float8 AS float8,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 'infinity' WHEN id % 29 = 0 THEN '-infinity' ELSE date '2024-02-20' + id / 2 % 30 END AS date,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 'infinity' WHEN id % 29 = 0 THEN '-infinity' ELSE timestamp '2024-02-20' + id / 2 % 30 * interval '7 hours' END AS timestamp,
        CASE WHEN id % 9 = 0 THEN NULL WHEN id % 23 = 0 THEN 'infinity' WHEN id % 29 = 0 THEN '-infinity' ELSE timestamptz '2024-03-29 00:00+00' + id / 2 % 30 * interval '3 hours' END AS timestamptz,
        CASE WHEN id % 9 = 0 THEN NULL ELSE time '00:00' + id / 2 % 30 * interval '47 minutes' END AS time
    FROM generate_series(1, 150) id;
ANALYZE framed;

-- all aggregates at once over one frame
CREATE FUNCTION over_frame(order_by text, frame text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(compare(format('SELECT id, count(*) OVER w AS c1, count(i) OVER w AS c2, sum(i) OVER w AS c3, avg(i) OVER w AS c4, sum(b) OVER w AS c5, avg(b) OVER w AS c6,
        sum(n) OVER w AS c7, avg(n) OVER w AS c8, bool_and(t) OVER w AS c9, bool_or(t) OVER w AS c10, every(i > 0) OVER w AS c11, sum(s) OVER w AS c12, avg(s) OVER w AS c13,
        sum(i) FILTER (WHERE t) OVER w AS c14, count(*) FILTER (WHERE i > 0) OVER w AS c15, avg(n) FILTER (WHERE t) OVER w AS c16
        FROM framed WINDOW w AS (PARTITION BY k %s %s)', 'ORDER BY ' || order_by, frame)), 'windowagg \d+', 'windowagg n')
$$;

-- every pair of bounds in ROWS and GROUPS mode, with every exclusion
CREATE TABLE bounds AS SELECT * FROM (VALUES (1, 'UNBOUNDED PRECEDING'), (2, '5 PRECEDING'), (2, '1 PRECEDING'), (3, 'CURRENT ROW'), (4, '1 FOLLOWING'), (4, '5 FOLLOWING'), (5, 'UNBOUNDED FOLLOWING')) v(place, bound);
CREATE TABLE exclusions AS SELECT * FROM (VALUES (''), ('EXCLUDE CURRENT ROW'), ('EXCLUDE GROUP'), ('EXCLUDE TIES'), ('EXCLUDE NO OTHERS')) v(exclusion);
SELECT mode, h.bound AS head, t.bound AS tail, string_agg(DISTINCT over_frame('int4', format('%s BETWEEN %s AND %s %s', mode, h.bound, t.bound, exclusion)), ' / ') AS result
FROM unnest(ARRAY['ROWS', 'GROUPS']) mode, bounds h, bounds t, exclusions
WHERE h.place <= t.place AND h.place < 5 AND t.place > 1 GROUP BY mode, h.place, h.bound, t.place, t.bound ORDER BY mode, h.place, h.bound, t.place, t.bound;
-- RANGE without offsets, the default frame, no ORDER BY
SELECT frame, string_agg(DISTINCT over_frame(order_by, frame || ' ' || exclusion), ' / ') AS result
FROM unnest(ARRAY['int4', 'int4 DESC NULLS LAST', 'int4, id', 'i, float8', 'n']) order_by, exclusions,
    unnest(ARRAY['RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW', 'RANGE BETWEEN CURRENT ROW AND CURRENT ROW', 'RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING']) frame
GROUP BY frame ORDER BY frame;
SELECT compare('SELECT id, sum(i) OVER (PARTITION BY k ORDER BY int4) AS c1, avg(n) OVER (PARTITION BY k) AS c2, count(*) OVER (PARTITION BY k ORDER BY int4, id DESC) AS c3 FROM framed');
SELECT frame, compare(format('SELECT id, sum(i) OVER (PARTITION BY k %s) AS c1, count(t) OVER (PARTITION BY k ORDER BY int4 %s) AS c2 FROM framed', frame, frame)) FROM unnest(ARRAY['ROWS 3 PRECEDING',
    'ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING', 'RANGE UNBOUNDED PRECEDING', 'RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW',
    'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES', 'ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING EXCLUDE GROUP']) frame;

-- RANGE with offsets from each type of key, in each direction, with each exclusion
CREATE TABLE offsets (key text, small text, large text);
INSERT INTO offsets VALUES ('int2', '2', '5::bigint'), ('int2', '0::smallint', '3::int'), ('int4', '2', '5::bigint'), ('int4', '1::smallint', '2147483647'), ('int8', '2::smallint', '5'), ('int8', '1::bigint', '9223372036854775807'),
    ('float4', '1.0', '3.5'), ('float8', '0', '2.25'), ('float8', '1', '''Infinity'''),
    ('date', 'interval ''1 day''', 'interval ''3 days'''), ('date', 'interval ''36 hours''', 'interval ''1 month'''), ('date', 'interval ''0''', 'interval ''1 month -2 days'''),
    ('timestamp', 'interval ''7 hours''', 'interval ''2 days'''), ('timestamp', 'interval ''1 month''', 'interval ''1 month 1 day'''),
    ('timestamptz', 'interval ''3 hours''', 'interval ''1 day'''), ('timestamptz', 'interval ''0''', 'interval ''30 hours'''),
    ('time', 'interval ''47 minutes''', 'interval ''5 hours'''), ('time', 'interval ''1 day''', 'interval ''23:59:59''');
CREATE VIEW over_keys AS
    SELECT key, small, large, format('%s %s', key, direction) AS order_by,
        format('RANGE BETWEEN %s AND %s %s', replace(replace(head, '<small>', small), '<large>', large), replace(replace(tail, '<small>', small), '<large>', large), exclusion) AS frame
    FROM offsets, unnest(ARRAY['', 'DESC', 'NULLS FIRST', 'DESC NULLS LAST']) direction, exclusions,
        (VALUES ('<large> PRECEDING', '<small> PRECEDING'), ('<large> PRECEDING', 'CURRENT ROW'), ('<small> PRECEDING', '<large> FOLLOWING'), ('CURRENT ROW', '<small> FOLLOWING'), ('<small> FOLLOWING', '<large> FOLLOWING'),
            ('UNBOUNDED PRECEDING', '<small> PRECEDING'), ('UNBOUNDED PRECEDING', '<large> FOLLOWING'), ('<large> PRECEDING', 'UNBOUNDED FOLLOWING'), ('<small> FOLLOWING', 'UNBOUNDED FOLLOWING'), ('<small> PRECEDING', '<large> PRECEDING')) f(head, tail)
    WHERE (exclusion, direction) IN (('', ''), ('', 'DESC NULLS LAST'), ('EXCLUDE TIES', 'NULLS FIRST'), ('EXCLUDE CURRENT ROW', 'DESC'));
-- a transaction for each, since each query makes tables
SELECT format('SELECT key, small, large, count(*) AS queries, string_agg(DISTINCT over_frame(order_by, frame), '' / '') AS result FROM over_keys WHERE key = %L AND small = %L GROUP BY key, small, large', key, small)
FROM offsets ORDER BY key, small \gexec

-- native errors of offsets
CREATE FUNCTION error_of(query text, enabled text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_rewrite(enabled, 'fused', CASE enabled WHEN 'on' THEN 'require' ELSE 'allow' END, '4MB');
    EXECUTE 'CREATE TEMP TABLE never AS ' || query;
    DROP TABLE never;
    RETURN 'no error';
EXCEPTION WHEN data_exception THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT frame, error_of(query, 'off') = error_of(query, 'on') AS same, error_of(query, 'on') AS error FROM (SELECT frame, format('SELECT sum(i) OVER (PARTITION BY k ORDER BY %s) FROM framed', frame) AS query FROM (VALUES
    ('int4 RANGE -1 PRECEDING'), ('int4 RANGE BETWEEN 1 PRECEDING AND -1 FOLLOWING'), ('int4 RANGE NULL PRECEDING'), ('int8 DESC RANGE BETWEEN CURRENT ROW AND NULL FOLLOWING'),
    ('float8 RANGE ''NaN'' PRECEDING'), ('float4 RANGE -0.5 PRECEDING'), ('date RANGE ''-1 day'' PRECEDING'), ('timestamp RANGE BETWEEN ''1 day'' PRECEDING AND ''-1 day'' FOLLOWING'),
    ('timestamptz RANGE ''1000000 years'' PRECEDING'), ('timestamp RANGE ''300000 years'' PRECEDING'), ('date RANGE ''300000 years'' PRECEDING'), ('time RANGE ''-1 hour'' PRECEDING'),
    ('int4 GROUPS -1 PRECEDING'), ('int4 GROUPS NULL PRECEDING'), ('int4 ROWS BETWEEN 1 FOLLOWING AND -1 FOLLOWING'), ('int4 GROUPS BETWEEN CURRENT ROW AND -1 FOLLOWING'),
    ('int4 ROWS BETWEEN 9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING'), ('int4 GROUPS BETWEEN 9223372036854775807 FOLLOWING AND UNBOUNDED FOLLOWING'),
    ('int4 ROWS BETWEEN 9223372036854775807 FOLLOWING AND 9223372036854775807 FOLLOWING EXCLUDE TIES')) v(frame)) q;

-- rows wait on disk where work_mem is small; nothing stays there
CREATE TABLE waiting AS SELECT id, id % 2 AS k, id / 3 AS d, id % 100 AS x, repeat('w', id % 300) AS w FROM generate_series(1, 6000) id;
CREATE INDEX ON waiting (k, d);
ANALYZE waiting;
SET enable_sort = off;
SET enable_seqscan = off;
SET work_mem = '64kB';
SELECT frame, compare(format('SELECT id, w, sum(x) OVER (PARTITION BY k ORDER BY d %s) AS c1, avg(x) OVER (PARTITION BY k ORDER BY d %s) AS c2 FROM waiting', frame, frame)) FROM unnest(ARRAY['ROWS BETWEEN 2000 PRECEDING AND 2500 FOLLOWING',
    'ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'RANGE BETWEEN 700 PRECEDING AND 600 FOLLOWING EXCLUDE TIES', 'GROUPS BETWEEN 500 PRECEDING AND 900 FOLLOWING EXCLUDE GROUP', 'RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING']) frame;
SELECT count(*) FROM pg_ls_tmpdir();
-- a cursor that is not read to its end, and one in a subtransaction that fails
BEGIN;
DECLARE c CURSOR FOR SELECT id, sum(x) OVER (ORDER BY d ROWS BETWEEN 2000 PRECEDING AND 2500 FOLLOWING) FROM waiting;
FETCH 2 FROM c;
SAVEPOINT s;
DECLARE d CURSOR FOR SELECT id, sum(x) OVER (ORDER BY d RANGE BETWEEN 700 PRECEDING AND 600 FOLLOWING) FROM waiting;
FETCH 2 FROM d;
ROLLBACK TO s;
FETCH 1 FROM c;
COMMIT;
SELECT count(*) FROM pg_ls_tmpdir();
RESET work_mem;
RESET enable_sort;
RESET enable_seqscan;
-- the first row of a partition waits in another slot than the child's
SELECT compare($$SELECT id, count(*) FILTER (WHERE note = 'b') OVER (PARTITION BY p) AS c1, sum(length(note)) OVER (PARTITION BY p) AS c2
    FROM (SELECT id, id / 10 AS p, CASE WHEN id % 3 = 0 THEN 'b' ELSE 'c' END AS note FROM generate_series(1, 95) id ORDER BY p OFFSET 0) s$$, 'allow');
CREATE TABLE wide_rows (a int, note text, b int, c int, p int);
INSERT INTO wide_rows SELECT 1, CASE WHEN id % 3 = 0 THEN 'b' ELSE 'c' END, 2, id, id / 10 FROM generate_series(1, 95) id;
CREATE INDEX ON wide_rows (p);
SET enable_sort = off;
SELECT compare($$SELECT c, count(*) FILTER (WHERE note = 'b') OVER (PARTITION BY p) AS c1, bool_or(note = 'c') OVER (PARTITION BY p ORDER BY p) AS c2 FROM wide_rows$$);
SELECT compare($$SELECT c, count(*) FILTER (WHERE note = 'b') OVER () AS c1 FROM wide_rows$$);
RESET enable_sort;
DROP TABLE wide_rows;
-- rescans
SELECT compare($$SELECT g.n, s.* FROM generate_series(1, 4) AS g(n), LATERAL (SELECT id, sum(i) OVER (ORDER BY int4 RANGE BETWEEN g.n PRECEDING AND 2 FOLLOWING) AS x, count(*) OVER (ORDER BY int4 GROUPS BETWEEN CURRENT ROW AND g.n FOLLOWING) AS y
    FROM framed WHERE id <= 30 * g.n OFFSET 2) s$$);
-- what is shared, shows once
SELECT plan_of($$SELECT sum(i) OVER w, avg(i) OVER w, sum(i) OVER (PARTITION BY k ORDER BY int4), count(*) OVER (PARTITION BY k), sum(i) OVER (PARTITION BY k ORDER BY int4 ROWS BETWEEN 2 PRECEDING AND 3 FOLLOWING EXCLUDE TIES),
    sum(i) OVER (PARTITION BY k ORDER BY int4 ROWS 2 PRECEDING) FROM framed WINDOW w AS (PARTITION BY k ORDER BY int4 RANGE BETWEEN 3 PRECEDING AND 4::bigint FOLLOWING)$$);
SELECT plan_of($$SELECT sum(i) OVER (ORDER BY date RANGE '1 month' PRECEDING), count(*) OVER (ORDER BY date GROUPS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING) FROM framed$$);
DROP VIEW over_keys;
DROP TABLE framed, bounds, exclusions, offsets, waiting;
DROP FUNCTION over_frame, error_of;

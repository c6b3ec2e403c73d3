-- Every aggregate of running sums and counts, over every frame that does not
-- look ahead, with every type of argument, NULLs and FILTER.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

CREATE TABLE aggregated AS
    SELECT id, id % 3 AS k, id / 2 AS d,
        CASE WHEN id % 5 > 0 THEN (id * 7919 % 65536 - 32768)::smallint END AS s,
        CASE WHEN id % 7 > 2 THEN id * 104729 % 100000 - 50000 END AS i,
        CASE WHEN id % 11 > 0 THEN id::bigint * 1299709 * 1000003 END AS b,
        CASE WHEN id % 4 > 0 THEN id % 3 = 1 END AS t,
        CASE WHEN id % 6 > 0 THEN CASE WHEN id % 41 = 0 THEN 'NaN' ELSE (id * 7919 % 2000000 - 1000000) / 100.0 END END::numeric(12,2) AS n,
        CASE WHEN id % 9 > 0 THEN id * 100003 END::numeric(20,0) AS n0,
        (CASE WHEN id % 2 = 0 THEN -1 ELSE 1 END * id / 1000.0 / 99991)::numeric(20,20) AS n20,
        CASE WHEN id % 3 > 0 THEN repeat('x', id % 5) END AS w
    FROM generate_series(1, 200) id;
ALTER TABLE aggregated ADD COLUMN never int NOT NULL DEFAULT 3, ADD COLUMN always_null numeric(8,3), ADD COLUMN sure boolean NOT NULL DEFAULT true;
UPDATE aggregated SET never = id * 17 % 101, sure = id % 13 > 0;
ANALYZE aggregated;

-- each call over each frame, a query each
CREATE TABLE calls (call text);
INSERT INTO calls VALUES
    ('count(*)'), ('count(i)'), ('count(w)'), ('count(never)'), ('count(always_null)'),
    ('sum(s)'), ('sum(i)'), ('sum(b)'), ('sum(never)'), ('sum(n)'), ('sum(n0)'), ('sum(n20)'), ('sum(always_null)'),
    ('avg(s)'), ('avg(i)'), ('avg(b)'), ('avg(never)'), ('avg(n)'), ('avg(n0)'), ('avg(n20)'), ('avg(always_null)'),
    ('bool_and(t)'), ('bool_or(t)'), ('every(t)'), ('bool_and(sure)'), ('bool_or(sure)'), ('every(i > 0)'),
    ('sum(s::int)'), ('avg(coalesce(n, 1.25::numeric(12,2)))'), ('sum(CASE WHEN t THEN n END)'),
    ('count(*) FILTER (WHERE t)'), ('count(i) FILTER (WHERE d > 20)'), ('sum(i) FILTER (WHERE t)'), ('avg(b) FILTER (WHERE NOT t)'),
    ('sum(n) FILTER (WHERE i > 0)'), ('avg(n) FILTER (WHERE i > 0)'), ('bool_and(t) FILTER (WHERE id > 50)'), ('sum(never) FILTER (WHERE sure)'),
    ('sum(i) FILTER (WHERE NULL)'), ('count(*) FILTER (WHERE false)');
CREATE TABLE frames (frame text);
INSERT INTO frames VALUES
    ('ROWS 6 PRECEDING'), ('ROWS 0 PRECEDING'), ('ROWS BETWEEN CURRENT ROW AND CURRENT ROW'), ('ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW'),
    ('ROWS BETWEEN 6 PRECEDING AND 1 PRECEDING'), ('ROWS BETWEEN 6 PRECEDING AND 0 PRECEDING'), ('ROWS BETWEEN 6 PRECEDING AND 6 PRECEDING'),
    ('ROWS BETWEEN 2 PRECEDING AND 5 PRECEDING'), ('ROWS BETWEEN UNBOUNDED PRECEDING AND 3 PRECEDING'), ('ROWS BETWEEN 9 PRECEDING AND 1000 PRECEDING'),
    ('ROWS BETWEEN 6 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW'), ('ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE CURRENT ROW'),
    ('ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW'), ('ROWS BETWEEN 6 PRECEDING AND 2 PRECEDING EXCLUDE CURRENT ROW'),
    ('ROWS BETWEEN 6 PRECEDING AND CURRENT ROW EXCLUDE NO OTHERS');
SELECT frame, count(*) AS calls, string_agg(DISTINCT difference, ', ') AS result, string_agg(call, ', ') FILTER (WHERE difference !~ '^200 rows, 0 differ; .*same$') AS wrong
FROM (SELECT frame, call, regexp_replace(compare(format('SELECT id, %s OVER (PARTITION BY k ORDER BY d %s) FROM aggregated', call, frame)), 'windowagg . of', 'windowagg') AS difference
      FROM calls, frames) c GROUP BY frame ORDER BY frame;
-- arguments that can raise an error, over frames that end with their row
SELECT call, frame, compare(format('SELECT id, %s OVER (PARTITION BY k ORDER BY d %s) FROM aggregated', call, frame)) FROM
    (VALUES ('sum(i + s)'), ('avg(b % 1000)'), ('sum(n::numeric(10,1))'), ('avg((n * 3)::numeric(14,2))'), ('count(*) FILTER (WHERE id % 4 = 0)')) c(call),
    (VALUES ('ROWS 6 PRECEDING'), ('ROWS UNBOUNDED PRECEDING')) f(frame);
-- growing frames beside a sliding one, all at once
SELECT compare('SELECT id, sum(never) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) AS c, ' || string_agg(format('%s OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS c%s', call, n), ', ') || ' FROM aggregated')
FROM (SELECT call, row_number() OVER (ORDER BY call) AS n FROM calls) c;
-- display scale
SELECT id, avg(never) OVER w, avg(i) OVER w, avg(n) OVER w, avg(n20) OVER w, sum(n) OVER w, sum(n20) OVER w, sum(n0) OVER w FROM aggregated WINDOW w AS (ORDER BY id ROWS 2 PRECEDING) LIMIT 6;
-- NaN enters and leaves
SELECT id, n, sum(n) OVER w, avg(n) OVER w FROM aggregated WHERE id BETWEEN 38 AND 47 WINDOW w AS (ORDER BY id ROWS 2 PRECEDING);

-- what is shared, shows once
SELECT plan_of($$SELECT sum(i) OVER w, avg(i) OVER w, count(i) OVER w, sum(i) OVER (w ROWS 2 PRECEDING), count(*) OVER (w ROWS 2 PRECEDING), avg(i) FILTER (WHERE t) OVER (w ROWS 2 PRECEDING),
    bool_or(t) OVER (w ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING), every(t) OVER (w ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING), sum(n) OVER (w ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE CURRENT ROW)
    FROM aggregated WINDOW w AS (PARTITION BY k ORDER BY d)$$);
SELECT plan_of($$SELECT avg(i) FILTER (WHERE t) OVER w, sum(i) OVER w, count(*) OVER w, count(*) FILTER (WHERE t) OVER w FROM aggregated WINDOW w AS (ORDER BY id ROWS 6 PRECEDING)$$, 'VERBOSE, COSTS OFF');

-- errors in filters and arguments, in stock's order, with what was counted before
CREATE FUNCTION error_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer record;
    got int := 0;
BEGIN
    FOR answer IN EXECUTE query LOOP got := got + 1; END LOOP;
    RETURN got || ' rows';
EXCEPTION WHEN division_by_zero OR numeric_value_out_of_range OR invalid_text_representation OR invalid_preceding_or_following_size OR null_value_not_allowed THEN
    RETURN format('%s after %s rows: %s', SQLSTATE, got, SQLERRM);
END $$;
SELECT call, stock = fused AS same, fused FROM (
    SELECT call, (SELECT error_of(query) FROM set_rewrite('off', 'fused', 'allow', '4MB')) AS stock, (SELECT error_of(query) FROM set_rewrite('on', 'fused', 'require', '4MB')) AS fused
    FROM (SELECT call, format('SELECT id, %s OVER (ORDER BY id ROWS 3 PRECEDING) FROM aggregated', call) AS query FROM (VALUES
        ('count(*) FILTER (WHERE 1 / (id - 20) >= 0)'), ('avg(1 / (id - 30))'), ('sum(i / (id - 30)) FILTER (WHERE 1 / (id - 40) >= 0)'),
        ('sum((n * 1000000)::numeric(9,1))'), ('bool_and((w || ''1'')::int > 0)'), ('count(1 / (id - 5)) FILTER (WHERE id > 5)')) v(call)) q OFFSET 0) r;
SELECT call, stock = fused AS same, fused FROM (
    SELECT call, (SELECT error_of(query) FROM set_rewrite('off', 'fused', 'allow', '4MB')) AS stock, (SELECT error_of(query) FROM set_rewrite('on', 'fused', 'require', '4MB')) AS fused
    FROM (SELECT call, format('SELECT id, sum(i) OVER (ORDER BY id ROWS BETWEEN %s) FROM aggregated', call) AS query FROM (VALUES
        ('-1 PRECEDING AND -1 PRECEDING'), ('1 PRECEDING AND -1 PRECEDING'), ('NULL PRECEDING AND -1 PRECEDING'), ('1 PRECEDING AND NULL PRECEDING'), ('CURRENT ROW AND CURRENT ROW EXCLUDE CURRENT ROW')) v(call)) q OFFSET 0) r;

-- a value that is not what its type declares: the server does not check it
CREATE TABLE lies AS SELECT x FROM (VALUES (1.25), (2.5), (3.125)) v(x);
UPDATE pg_attribute SET atttypmod = (10 << 16 | 2) + 4 WHERE attrelid = 'lies'::regclass AND attname = 'x';
SELECT sum(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM lies;
DROP TABLE lies, aggregated, calls, frames;
DROP FUNCTION error_of;

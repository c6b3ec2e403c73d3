-- Everywhere a plan can hold a WindowAgg.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

\set w 'OVER (PARTITION BY k ORDER BY d, id ROWS 4 PRECEDING)'
\set q 'SELECT id, k, d, sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 4 PRECEDING) AS x FROM events'

-- subquery, CTE, sublinks, UNION ALL arm, DISTINCT, ORDER BY and LIMIT above
SELECT compare(format('SELECT * FROM (%s OFFSET 0) s WHERE x > 0', :'q'));
SELECT compare(format('WITH c AS MATERIALIZED (%s) SELECT a.*, b.x AS y FROM c a JOIN c b USING (id)', :'q'));
SELECT compare(format('WITH c AS (%s) SELECT x, count(*) FROM c GROUP BY x ORDER BY x', :'q'));
SELECT compare(format('SELECT id FROM events WHERE id IN (SELECT x FROM (%s) s)', :'q'));
SELECT compare(format('SELECT id, (SELECT max(x) FROM (%s) s) FROM events', :'q'));
SELECT compare(format('SELECT id, ARRAY(SELECT x FROM (%s) s WHERE s.id < 9) FROM events', :'q'));
SELECT compare(format('SELECT * FROM events WHERE EXISTS (SELECT FROM (%s) s WHERE s.x = events.i)', :'q'));
SELECT compare(format('(%s) UNION ALL (%s) UNION ALL SELECT 1, 2, 3, 4', :'q', :'q'));
SELECT compare(format('(%s) EXCEPT (%s LIMIT 10)', :'q', :'q'));
SELECT compare(format('SELECT DISTINCT x FROM (%s) s', :'q'));
SELECT compare('SELECT DISTINCT ' || 'sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 4 PRECEDING) FROM events');
SELECT compare(format('%s ORDER BY x DESC NULLS LAST, id LIMIT 7 OFFSET 3', :'q'));
SELECT compare(format('%s LIMIT 7', :'q'));
WITH RECURSIVE r(n, x) AS (
    SELECT 0, 0::bigint
    UNION ALL
    SELECT n + 1, y FROM (SELECT r.n, sum(i) OVER (ORDER BY id ROWS 2 PRECEDING) AS y, e.id
                          FROM r, events e WHERE r.n < 3 AND e.id < 20 AND r.x IS NOT NULL) s WHERE s.id = 5 + n)
SELECT * FROM r;

-- over joins, GROUP BY, VALUES, set-returning functions, outer joins, aggregates
SELECT compare($$SELECT a.id, sum(b.i) OVER (PARTITION BY a.k ORDER BY a.id, b.id ROWS 4 PRECEDING)
    FROM events a JOIN events b ON b.d = a.k$$);
SELECT compare($$SELECT a.id, sum(b.i) OVER (PARTITION BY b.k ORDER BY a.id, b.id ROWS 4 PRECEDING)
    FROM events a LEFT JOIN events b ON b.id = a.i$$);
SELECT compare($$SELECT k, sum(count(*)) OVER (ORDER BY k ROWS 2 PRECEDING) AS c2, sum(sum(s)::int) OVER (ORDER BY k ROWS 2 PRECEDING) AS c3 FROM events GROUP BY k$$);
SELECT compare($$SELECT k, sum(count(*)) OVER (PARTITION BY k % 2 ORDER BY k ROWS 2 PRECEDING)
    FROM events GROUP BY GROUPING SETS ((k), ())$$);
SELECT compare($$SELECT x, sum(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM (VALUES (3), (1), (2)) v(x)$$);
SELECT compare($$SELECT g, sum(g) OVER (ORDER BY g ROWS 1 PRECEDING) FROM generate_series(1, 5) g$$);
SELECT compare($$SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING), generate_series(1, 2) FROM events$$);

-- commands that write
CREATE TEMP TABLE target (id int, k int, d int, x bigint, twice bigint GENERATED ALWAYS AS (x * 2) STORED);
SET sliding_prefix.debug_require_rewrite = require;
INSERT INTO target :q;
SELECT count(*), sum(x), sum(twice) FROM target;
CREATE TEMP TABLE ctas AS :q;
SELECT count(*), sum(x) FROM ctas;
UPDATE target SET x = s.x + 1 FROM (:q) s WHERE s.id = target.id;
SELECT count(*), sum(x), sum(twice) FROM target;
DELETE FROM target USING (:q) s WHERE s.id = target.id AND s.x > 0;
SELECT count(*), sum(x) FROM target;
MERGE INTO target USING (:q) s ON s.id = target.id
    WHEN MATCHED THEN UPDATE SET x = 0
    WHEN NOT MATCHED THEN INSERT (id, x) VALUES (s.id, s.x);
SELECT count(*), sum(x) FROM target;
COPY (SELECT sum(x) FROM (:q) s) TO STDOUT;

-- view, materialized view, functions, prepared statement
CREATE VIEW rolling_view AS :q;
SELECT count(*), sum(x) FROM rolling_view;
CREATE MATERIALIZED VIEW rolling_mv AS :q;
REFRESH MATERIALIZED VIEW rolling_mv;
SELECT count(*), sum(x) FROM rolling_mv;
CREATE FUNCTION rolling_sql(width int) RETURNS SETOF bigint LANGUAGE sql STABLE AS
    'SELECT sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS width PRECEDING) FROM events';
SELECT count(*), sum(x) FROM rolling_sql(4) x;
CREATE FUNCTION rolling_sql_volatile(width int) RETURNS SETOF bigint LANGUAGE sql VOLATILE AS
    'SELECT sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS width PRECEDING) FROM events';
SELECT count(*), sum(x) FROM rolling_sql_volatile(4) x;
CREATE FUNCTION rolling_plpgsql(width int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    total bigint := 0;
    r record;
BEGIN
    FOR r IN SELECT sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS width PRECEDING) AS x FROM events LOOP
        total := total + coalesce(r.x, 0);
    END LOOP;
    RETURN total;
END $$;
SELECT rolling_plpgsql(4), rolling_plpgsql(4), rolling_plpgsql(0);
SELECT rolling_plpgsql(-1);

-- cursors, also backward and held
BEGIN;
DECLARE c SCROLL CURSOR FOR :q ORDER BY k, d, id;
FETCH 5 FROM c;
FETCH BACKWARD 3 FROM c;
MOVE ABSOLUTE 499 IN c;
FETCH 3 FROM c;
FETCH ABSOLUTE 3 FROM c;
DECLARE c2 NO SCROLL CURSOR FOR :q;
FETCH 1 FROM c2;
FETCH BACKWARD 1 FROM c2;
ROLLBACK;
BEGIN;
DECLARE c3 CURSOR WITH HOLD FOR :q;
FETCH 1 FROM c3;
COMMIT;
FETCH 1 FROM c3;
CLOSE c3;
-- two cursors over one plan, read in turns, one of them in a subtransaction
BEGIN;
DECLARE c4 CURSOR FOR SELECT id, x FROM rolling_view;
DECLARE c5 CURSOR FOR SELECT id, x FROM rolling_view;
FETCH 2 FROM c4;
SAVEPOINT s;
FETCH 3 FROM c5;
FETCH 1 FROM c4;
ROLLBACK TO s;
FETCH 1 FROM c4;
COMMIT;
SET sliding_prefix.debug_require_rewrite = allow;

-- rescans: LATERAL and correlated subqueries with other parameters
SELECT compare($$SELECT o.n, s.* FROM generate_series(0, 3) o(n), LATERAL
    (SELECT id, sum(i) OVER (PARTITION BY k ORDER BY id ROWS o.n PRECEDING) AS x FROM events WHERE id <= 10 * o.n) s$$);
SELECT compare($$SELECT o.n, (SELECT sum(x) FROM (SELECT sum(i + o.n) OVER (ORDER BY id ROWS 2 PRECEDING) AS x
    FROM events WHERE id <= o.n) s) FROM generate_series(0, 20) o(n)$$);
SELECT compare($$SELECT o.n, s.x FROM generate_series(0, 20) o(n), LATERAL
    (SELECT sum(i) OVER (ORDER BY id ROWS 2 PRECEDING) AS x FROM events LIMIT 3) s$$);
-- only the offset changes: the child is rescanned all the same
SELECT compare($$SELECT o.n, s.* FROM generate_series(0, 3) o(n), LATERAL
    (SELECT id, sum(i) OVER (ORDER BY d, k, id ROWS o.n PRECEDING) AS x FROM events WHERE id <= 20) s$$);
SELECT o.n, s.x FROM generate_series(1, -1, -1) o(n), LATERAL
    (SELECT sum(i) OVER (ORDER BY id ROWS o.n PRECEDING) AS x FROM events) s;

-- partitioned table, inheritance, foreign and dropped columns, wide and toasted
-- and generated columns
CREATE TABLE parts (id int, junk text, k int, v int, w int GENERATED ALWAYS AS (v + 1) STORED) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (50);
CREATE TABLE parts_2 (junk text, more int, v int, id int, k int, w int GENERATED ALWAYS AS (v + 1) STORED);
ALTER TABLE parts_2 DROP COLUMN more;
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (50) TO (100);
INSERT INTO parts SELECT id, repeat('x', id), id % 5, id * id FROM generate_series(0, 99) id;
ALTER TABLE parts DROP COLUMN junk;
SELECT compare('SELECT *, sum(v) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) AS c2, sum(w) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) AS c3 FROM parts');
SELECT compare('SELECT p, sum(v) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) FROM parts p');
SELECT compare('SELECT tableoid::regclass AS part, ctid AS at, sum(v) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) FROM parts');
CREATE EXTENSION file_fdw;
CREATE SERVER sp_files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE far (id int NOT NULL, v int NOT NULL) SERVER sp_files OPTIONS (program 'printf "1,10\n2,\n3,30\n"', format 'csv');
SELECT compare('SELECT id, sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM far');
DROP EXTENSION file_fdw CASCADE;
CREATE TABLE wide (id int, k int, doc text, v int);
ALTER TABLE wide ALTER doc SET STORAGE EXTERNAL;
INSERT INTO wide SELECT id, id % 3, repeat(md5(id::text), 400), id FROM generate_series(1, 60) id;
SELECT compare('SELECT id, doc, sum(v) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) FROM wide');
SELECT compare('SELECT id, doc, k, sum(v) OVER (PARTITION BY doc ORDER BY id ROWS 3 PRECEDING) FROM wide');
SELECT compare('SELECT id, upper(doc), sum(length(doc)) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) FROM wide');
DO $$
BEGIN
    EXECUTE 'CREATE TABLE many (id int, ' ||
        (SELECT string_agg(format('c%s int DEFAULT %s', n, n), ', ') FROM generate_series(1, 900) n) || ')';
END $$;
INSERT INTO many (id) SELECT generate_series(1, 20);
SELECT compare('SELECT *, sum(c900) OVER (ORDER BY id ROWS 3 PRECEDING) AS x, sum(c1 + c2) OVER (ORDER BY id ROWS 9 PRECEDING) AS y FROM many');

SELECT compare('SELECT id, md5(ARRAY[' || string_agg(format('sum(c%s) OVER (ORDER BY id ROWS 3 PRECEDING)', n), ', ') ||
    ']::text) FROM many') FROM generate_series(1, 850) n;

-- row-level security decides before the sums
CREATE ROLE sp_reader;
GRANT SELECT ON parts, parts_1, parts_2 TO sp_reader;
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON parts USING (id % 2 = 1);
SET ROLE sp_reader;
SET sliding_prefix.debug_require_rewrite = require;
SELECT id, sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM parts ORDER BY id LIMIT 3;
RESET ROLE;

-- a role without EXECUTE on the aggregate
SET plan_cache_mode = force_generic_plan;
CREATE TABLE rights AS SELECT 1 AS id, 2 AS v;
GRANT SELECT ON rights TO sp_reader;
PREPARE forbidden_sum AS SELECT sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM rights;
EXECUTE forbidden_sum;
REVOKE EXECUTE ON FUNCTION pg_catalog.sum(int) FROM PUBLIC;
SET ROLE sp_reader;
SET sliding_prefix.debug_require_rewrite = allow;
-- the cached plan has the node, which checks the right itself
SELECT window_nodes('EXECUTE forbidden_sum');
EXECUTE forbidden_sum;
\echo :LAST_ERROR_SQLSTATE
RESET plan_cache_mode;
-- a new plan leaves the refusal to stock
SELECT window_nodes('SELECT sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM parts');
SELECT sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM parts;
\echo :LAST_ERROR_SQLSTATE
SET sliding_prefix.debug_require_rewrite = require;
SELECT id, sum(id::bigint) OVER (ORDER BY id ROWS 1 PRECEDING) FROM parts ORDER BY id LIMIT 1;
SET sliding_prefix.debug_require_rewrite = allow;
SET sliding_prefix.enabled = off;
SELECT sum(v) OVER (ORDER BY id ROWS 1 PRECEDING) FROM parts;
\echo :LAST_ERROR_SQLSTATE
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_catalog.sum(int) TO PUBLIC;
SET sliding_prefix.enabled = on;

-- parallel query: the planner keeps window functions above Gather, but a
-- function that a worker calls plans and runs them there
CREATE TABLE arms (id int, k int, v int);
INSERT INTO arms SELECT id, id % 10, id FROM generate_series(1, 20000) id;
ANALYZE arms;
CREATE FUNCTION rolling_in_worker(key int) RETURNS numeric LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN (SELECT sum(x) FROM (SELECT sum(v) OVER (PARTITION BY k ORDER BY id ROWS 5 PRECEDING) AS x
                                FROM arms WHERE id <= key) s);
END $$;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT plan_of('SELECT sum(v) OVER (PARTITION BY k ORDER BY id ROWS 5 PRECEDING) FROM arms');
SELECT compare('SELECT id, sum(v) OVER (PARTITION BY k ORDER BY id ROWS 5 PRECEDING) FROM arms');
SET parallel_leader_participation = off;
SELECT plan_of('SELECT sum(rolling_in_worker(id)) FROM arms WHERE id <= 100');
SET sliding_prefix.debug_require_rewrite = require;
SELECT sum(rolling_in_worker(id)) FROM arms WHERE id <= 100;
SET sliding_prefix.debug_require_rewrite = forbid;
SELECT sum(rolling_in_worker(id)) FROM arms WHERE id <= 100;
SET sliding_prefix.debug_require_rewrite = allow;
SET sliding_prefix.enabled = off;
SELECT sum(rolling_in_worker(id)) FROM arms WHERE id <= 100;
SET sliding_prefix.enabled = on;
RESET parallel_leader_participation;
RESET max_parallel_workers_per_gather;

DROP OWNED BY sp_reader;
DROP ROLE sp_reader;
DROP MATERIALIZED VIEW rolling_mv;
DROP VIEW rolling_view;
DROP TABLE parts, wide, many, arms, rights;
DROP FUNCTION rolling_sql, rolling_sql_volatile, rolling_plpgsql, rolling_in_worker;

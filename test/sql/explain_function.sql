-- sliding_prefix_explain(): verdicts on the window functions of a query.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

-- one row per window function, in plan order
SELECT * FROM sliding_prefix_explain($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING),
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 29 PRECEDING), max(i) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING),
    sum(i) OVER (PARTITION BY d ORDER BY id ROWS 6 PRECEDING) FROM events$$);

-- every reason
SELECT reason, count(*), min(explanation) FROM (VALUES
    ('rank() OVER (ORDER BY id)'), ('sum(f) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(f::real) OVER (ORDER BY id ROWS 3 PRECEDING)'), ('max(i) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(f::numeric) OVER (ORDER BY id ROWS 3 PRECEDING)'), ('sum((random() * i)::int) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum((SELECT max(x.i) FROM events x WHERE x.id < e.i)) OVER (ORDER BY id ROWS 3 PRECEDING)'), ('sum(i) OVER (ORDER BY n RANGE 3 PRECEDING)'),
    ('sum(1 / i) OVER (ORDER BY id)')) v(call),
    LATERAL sliding_prefix_explain(format('SELECT %s FROM events e', call)) GROUP BY reason ORDER BY reason;
SELECT run, function, reason FROM sliding_prefix_explain('SELECT sum(1 / i) OVER (w ROWS 3 PRECEDING), lead(i) OVER (w ROWS 3 PRECEDING), sum(i) OVER (w ROWS 2 PRECEDING) FROM events WINDOW w AS (ORDER BY id)');
SELECT reason FROM sliding_prefix_explain('SELECT * FROM (SELECT row_number() OVER (ORDER BY id) AS r FROM events) q WHERE r < 3');
SET sliding_prefix.min_total_frame_width = 100;
SELECT reason, explanation FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
RESET sliding_prefix.min_total_frame_width;

-- parameters that are set outside the run: by subqueries, for each row of an
-- outer query, by a subplan
SELECT regexp_replace(function, '\$\d+', '$n', 'g') AS function FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS (SELECT 3) PRECEDING) FROM events ORDER BY note LIMIT 3');
SELECT regexp_replace(function, '\$\d+', '$n', 'g') AS function FROM sliding_prefix_explain('SELECT (SELECT max(x) FROM (SELECT sum(e2.i + e1.d) OVER (ORDER BY e2.id ROWS 2 PRECEDING) AS x FROM events e2 OFFSET 0) s) FROM events e1');
SELECT function ~ 'SubPlan' AS subplan FROM sliding_prefix_explain('SELECT (SELECT max(x) FROM (SELECT sum((e2.i + e1.d IN (SELECT i FROM events))::int) OVER (ORDER BY e2.id ROWS 2 PRECEDING) AS x FROM events e2 OFFSET 0) s) FROM events e1');

-- "disabled" only where the function would otherwise qualify
SET sliding_prefix.enabled = off;
SELECT function, rewritten, reason, explanation FROM sliding_prefix_explain('SELECT sum(i) OVER w, max(i) OVER w FROM events WINDOW w AS (ORDER BY id ROWS 3 PRECEDING)');
SET sliding_prefix.enabled = on;

-- the text of functions and frames
SELECT regexp_replace(function, '\$0 |\(InitPlan [^)]+\)\.col1 ', 'initplan ') AS function FROM (VALUES
    ('count(*) FILTER (WHERE k > 0) OVER (PARTITION BY k % 2, d ORDER BY id DESC, note RANGE UNBOUNDED PRECEDING)'),
    ('lag(i, 2, 0) OVER (ORDER BY id)'), ('sum(i + s) OVER (ORDER BY id ROWS BETWEEN $1 PRECEDING AND $2 FOLLOWING)'),
    ('sum(i) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP)'),
    ('sum(i) OVER (ORDER BY id GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE CURRENT ROW)'),
    ('sum(i) OVER ()'), ('sum(i) OVER (ORDER BY id ROWS (SELECT 1) PRECEDING)')) v(call),
    LATERAL sliding_prefix_explain(format('SELECT %s FROM events', call));
SELECT function FROM sliding_prefix_explain('SELECT sum(a.i) OVER (PARTITION BY b.k ORDER BY a.id ROWS 3 PRECEDING) FROM events a JOIN events b ON a.id = b.d');

-- statements it accepts; none is executed
CREATE SEQUENCE untouched;
CREATE TABLE sink (x bigint);
PREPARE p(bigint) AS SELECT sum(i) OVER (ORDER BY id ROWS $1 PRECEDING) FROM events;
SELECT statement, function, rewritten FROM (VALUES
    ('INSERT INTO sink SELECT sum(i + nextval(''untouched'')::int * 0) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events'),
    ('UPDATE sink SET x = 1 FROM (SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) AS y FROM events) q WHERE x = y'),
    ('DELETE FROM sink WHERE x IN (SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events)'),
    ('MERGE INTO sink USING (SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) AS y FROM events) q ON x = y WHEN MATCHED THEN DELETE'),
    ('CREATE TABLE made AS SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events'),
    ('CREATE MATERIALIZED VIEW made AS SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events'),
    ('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) INTO made FROM events'),
    ('EXPLAIN ANALYZE SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;'),
    ('DECLARE c CURSOR FOR SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events'),
    ('EXECUTE p(-1)'), ('CREATE TABLE made AS EXECUTE p(1)'), ('TABLE sink')) v(statement)
    LEFT JOIN LATERAL sliding_prefix_explain(statement) ON true;
SELECT is_called FROM untouched;
SELECT count(*) FROM sink;
SELECT to_regclass('made');
SELECT count(*) FROM pg_cursors WHERE name = 'c';

-- what it refuses
SELECT * FROM sliding_prefix_explain('SELECT 1; SELECT 2');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM sliding_prefix_explain('');
SELECT * FROM sliding_prefix_explain(' -- nothing');
SELECT * FROM sliding_prefix_explain('VACUUM events');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM sliding_prefix_explain('DROP TABLE sink');
SELECT * FROM sliding_prefix_explain('BEGIN');
SELECT * FROM sliding_prefix_explain('PREPARE q AS SELECT 1');
SELECT * FROM sliding_prefix_explain('EXECUTE missing');
SELECT * FROM sliding_prefix_explain('SELECT nothing FROM events');
SELECT * FROM sliding_prefix_explain('SELECT FROM FROM');
SELECT * FROM sliding_prefix_explain(NULL);

-- the rights of EXPLAIN are enough, and needed
CREATE ROLE sp_curious;
SET ROLE sp_curious;
SELECT * FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
EXPLAIN SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
RESET ROLE;
GRANT SELECT (id, i) ON events TO sp_curious;
SET ROLE sp_curious;
SELECT rewritten FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
SELECT rewritten FROM sliding_prefix_explain('SELECT sum(s) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
RESET ROLE;
DROP OWNED BY sp_curious;
DROP ROLE sp_curious;

-- with debug_require_rewrite set, explaining is no error
SET sliding_prefix.debug_require_rewrite = forbid;
SELECT rewritten FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
SET sliding_prefix.debug_require_rewrite = require;
SELECT rewritten, reason FROM sliding_prefix_explain('SELECT max(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
SET sliding_prefix.debug_require_rewrite = allow;
DROP SEQUENCE untouched;
DROP TABLE sink;

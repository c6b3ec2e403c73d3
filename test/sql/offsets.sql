-- Frame offsets: constants, parameters, initplans; stock's errors.
LOAD 'sliding_prefix';
SET client_min_messages = warning;

PREPARE rolling(bigint) AS
    SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS $1 PRECEDING) FROM events ORDER BY id;

-- wrong offsets without and with the rewrite, on empty input too
\set SHOW_CONTEXT never
SET sliding_prefix.enabled = off;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
:query WHERE false;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
:query WHERE false;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS 9223372036854775808 PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
SET plan_cache_mode = force_generic_plan;
EXECUTE rolling(-1);
EXECUTE rolling(NULL);
SET plan_cache_mode = force_custom_plan;
EXECUTE rolling(-1);
EXECUTE rolling(NULL);
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS (SELECT -k FROM events WHERE id = 5) PRECEDING) FROM events'
:query;

SET sliding_prefix.enabled = on;
SET sliding_prefix.debug_require_rewrite = require;
DEALLOCATE rolling;
PREPARE rolling(bigint) AS
    SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS $1 PRECEDING) FROM events ORDER BY id;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
:query WHERE false;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
:query WHERE false;
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS 9223372036854775808 PRECEDING) FROM events'
:query;
\echo :LAST_ERROR_SQLSTATE
SET plan_cache_mode = force_generic_plan;
EXECUTE rolling(-1);
EXECUTE rolling(NULL);
SET plan_cache_mode = force_custom_plan;
EXECUTE rolling(-1);
EXECUTE rolling(NULL);
\set query 'SELECT sum(i) OVER (ORDER BY d ROWS (SELECT -k FROM events WHERE id = 5) PRECEDING) FROM events'
:query;

-- of two wrong offsets, the top node's is the one refused, as in stock; a
-- node that stays keeps its turn
SET sliding_prefix.debug_require_rewrite = allow;
SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING), sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING), max(i) OVER (ORDER BY d ROWS -1 PRECEDING) FROM events;
SELECT max(i) OVER (ORDER BY d ROWS -1 PRECEDING), sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING), max(i) OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND -1 FOLLOWING) FROM events;
SET sliding_prefix.enabled = off;
SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING), sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING), max(i) OVER (ORDER BY d ROWS -1 PRECEDING) FROM events;
SELECT max(i) OVER (ORDER BY d ROWS -1 PRECEDING), sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING), max(i) OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND -1 FOLLOWING) FROM events;
SET sliding_prefix.enabled = on;

-- an EXPLAIN of a wrong offset is no error
SELECT plan_of('SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING) FROM events');
SELECT plan_of('SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events');

-- generic and custom plans
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE rolling(3);
CREATE TEMP TABLE generic_rows AS EXECUTE rolling(3);
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE rolling(3);
CREATE TEMP TABLE custom_rows AS EXECUTE rolling(3);
RESET plan_cache_mode;
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 3 PRECEDING) FROM events ORDER BY id$$);
SELECT count(*) FROM (TABLE generic_rows EXCEPT ALL TABLE our_answer) x;
SELECT count(*) FROM (TABLE custom_rows EXCEPT ALL TABLE our_answer) x;

-- offsets from initplans and expressions
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT 3) PRECEDING) FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT min(id) + 3 FROM events) PRECEDING) AS c2,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT min(id) FROM events) PRECEDING) AS c3 FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT 3) PRECEDING) AS c2,
    max(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT 2) PRECEDING) AS c3 FROM events$$, 'allow');
-- the initplan belongs to the node that takes the top node's place
SELECT line FROM plan_of($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS (SELECT min(id) FROM events) PRECEDING)
    FROM events$$) line WHERE line ~ '^ *InitPlan$|Custom Scan|WindowAgg';

-- offsets of frames that the planner sets aside for functions that ignore
-- them, since 16, are not refused; before, stock refuses them
CREATE FUNCTION refused(query text, enabled text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('sliding_prefix.enabled', enabled, true);
    EXECUTE query;
    RETURN 'accepted';
EXCEPTION WHEN invalid_preceding_or_following_size OR null_value_not_allowed THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT call, refused(q, 'off') = refused(q, 'on') AS same FROM (VALUES
    ('row_number() OVER (ORDER BY id ROWS -1 PRECEDING)'), ('ntile(3) OVER (ORDER BY id ROWS NULL PRECEDING)'),
    ('rank() OVER (ORDER BY id RANGE BETWEEN -1 PRECEDING AND 1 FOLLOWING)'), ('lag(i) OVER (ORDER BY id ROWS -1 PRECEDING)'),
    ('max(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND -1 FOLLOWING)')) v(call),
    format('SELECT %s, sum(i) OVER (ORDER BY id ROWS 2 PRECEDING) FROM events', call) q;
SELECT compare($$SELECT id, row_number() OVER (ORDER BY id ROWS 1 PRECEDING), sum(i) OVER (ORDER BY id ROWS 2 PRECEDING) FROM events$$, 'allow');
DROP FUNCTION refused;

-- an offset that is not immutable is evaluated by one node, in stock's order
CREATE SEQUENCE sq;
SELECT compare($$SELECT id, sum(i) OVER w, max(i) OVER w FROM events WINDOW w AS (ORDER BY id ROWS nextval('sq') * 0 + 2 PRECEDING)$$, 'allow');
SELECT function, reason FROM sliding_prefix_explain($$SELECT sum(i) OVER w, max(i) OVER w FROM events WINDOW w AS (ORDER BY id ROWS nextval('sq') PRECEDING)$$);
SELECT setval('sq', 1);
SELECT count(*) OVER (ORDER BY id ROWS nextval('sq') PRECEDING), sum(1) OVER (ORDER BY id, k ROWS nextval('sq') PRECEDING) FROM events OFFSET 10 LIMIT 1;
SET sliding_prefix.enabled = off;
SELECT setval('sq', 1);
SELECT count(*) OVER (ORDER BY id ROWS nextval('sq') PRECEDING), sum(1) OVER (ORDER BY id, k ROWS nextval('sq') PRECEDING) FROM events OFFSET 10 LIMIT 1;
SET sliding_prefix.enabled = on;
DROP SEQUENCE sq;

-- a volatile offset is evaluated once per scan
CREATE SEQUENCE calls;
SELECT count(*) FROM (SELECT sum(i) OVER (ORDER BY id ROWS nextval('calls') PRECEDING) FROM events OFFSET 0) x;
SELECT last_value FROM calls;
DROP SEQUENCE calls;

-- a cached plan keeps its shape when the setting changes
SET plan_cache_mode = force_generic_plan;
PREPARE kept(bigint) AS SELECT sum(i) OVER (ORDER BY d ROWS $1 PRECEDING) FROM events;
SELECT plan_of('EXECUTE kept(3)');
SET sliding_prefix.enabled = off;
SELECT plan_of('EXECUTE kept(3)');
RESET plan_cache_mode;

-- Each reason not to rewrite: the function is left to WindowAgg.
LOAD 'sliding_prefix';
SET client_min_messages = warning;
\set SHOW_CONTEXT never

CREATE SCHEMA mine;
CREATE FUNCTION mine.add(bigint, int) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT coalesce($1, 0) + 2 * coalesce($2, 0)';
CREATE AGGREGATE mine.sum(int) (SFUNC = mine.add, STYPE = bigint, INITCOND = '0');

-- require names the function and the reason; without it the answer is stock's
CREATE FUNCTION left_alone(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('sliding_prefix.enabled', 'on', true);
    IF window_nodes(query) !~ '^0 SlidingPrefix, [1-9]' THEN
        RETURN 'rewritten: ' || window_nodes(query);
    END IF;
    RETURN compare(query, 'forbid');
END $$;
SET sliding_prefix.enabled = on;
SET sliding_prefix.debug_require_rewrite = require;

-- not an aggregate
SELECT row_number() OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
-- floating point
SELECT sum(f) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT sum(f::float4) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
-- other aggregates
SELECT sum(n::money) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT sum(n * interval '1 s') OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT stddev(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT avg(f) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT min(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT max(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
-- a same-named aggregate of a user
SELECT mine.sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
-- numeric values whose scale or size is not certain
CREATE FUNCTION liar() RETURNS SETOF record LANGUAGE sql AS 'SELECT 1.2345';
CREATE TABLE numerics (id int, n numeric, p21 numeric(21,2), s30 numeric(20,20), d numeric(5,2), negative numeric(5,-2), beyond numeric(3,5));
SELECT sum(n) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(p21) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(negative) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(beyond) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(d * 2) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(CASE WHEN id > 0 THEN d ELSE 0 END) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(coalesce(d, n)) OVER (ORDER BY id ROWS 3 PRECEDING) FROM numerics;
SELECT sum(x) OVER (ORDER BY x ROWS 3 PRECEDING) FROM (SELECT d AS x FROM numerics UNION ALL SELECT n FROM numerics) u;
SELECT avg(x) OVER (ORDER BY x ROWS 3 PRECEDING) FROM liar() AS l(x numeric(10,2));
SELECT avg(x) OVER (ORDER BY id ROWS 3 PRECEDING) FROM (SELECT id, max(d) AS x FROM numerics GROUP BY id) g;
DROP TABLE numerics;
DROP FUNCTION liar;
-- volatile and subquery arguments
SELECT sum((i * random())::int) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT count(*) FILTER (WHERE random() < 2) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT count(*) FILTER (WHERE id IN (SELECT max(k) FROM events e2 WHERE e2.id < e1.i)) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events e1;
SELECT sum((SELECT max(k) FROM events e2 WHERE e2.id < e1.i)) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events e1;
-- keys whose comparison can fail
SELECT sum(i) OVER (PARTITION BY ROW(k, d) ORDER BY id ROWS 3 PRECEDING) FROM events;
-- offsets from keys that are not passed by value
SELECT sum(i) OVER (ORDER BY n RANGE 3 PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d * interval '1 day' RANGE '3 days' PRECEDING) FROM events;
-- frames that the windowagg strategy does not compute
SET sliding_prefix.strategy = windowagg;
SELECT sum(i) OVER (ROWS 3 PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY id) FROM events;
SELECT sum(i) OVER (ORDER BY id RANGE 3 PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY id GROUPS 3 PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM events;
SELECT sum(i) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 3 FOLLOWING) FROM events;
SELECT sum(i) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM events;
SELECT avg(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT sum(i) FILTER (WHERE s > 0) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT sum(n) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
RESET sliding_prefix.strategy;
-- a growing frame alone
SET sliding_prefix.strategy = windowagg;
SELECT sum(i) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM events;
RESET sliding_prefix.strategy;
-- a run condition
SELECT * FROM (SELECT id, count(*) OVER w AS r, sum(i) OVER w FROM events
    WINDOW w AS (ORDER BY id ROWS UNBOUNDED PRECEDING)) x WHERE r <= 3;
-- gate
SET sliding_prefix.min_total_frame_width = 5;
SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
RESET sliding_prefix.min_total_frame_width;
-- the setting itself
SET sliding_prefix.enabled = off;
SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;

-- forbid is the opposite
SET sliding_prefix.enabled = on;
SET sliding_prefix.debug_require_rewrite = forbid;
SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events;
SELECT max(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events LIMIT 1;
SET sliding_prefix.debug_require_rewrite = allow;

-- in the plan they are left alone, and the answers are stock's
SELECT call, left_alone(format('SELECT id, %s FROM events e1', call)) FROM (VALUES
    ('row_number() OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(f) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(f::float4) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(n * 2) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(n::money) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(n * interval ''1 s'') OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('stddev(i) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('max(i) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('mine.sum(i) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('count(*) FILTER (WHERE random() < 2) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum((i * sign(random() + 1))::int) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum((SELECT max(k) FROM events e2 WHERE e2.id < e1.i)) OVER (ORDER BY id ROWS 3 PRECEDING)'),
    ('sum(i) OVER (ORDER BY n RANGE 3 PRECEDING)'),
    ('sum(i) OVER (ORDER BY d * interval ''1 day'' RANGE ''3 days'' PRECEDING)')) v(call);

-- the gate counts the rows of all sliding frames of the group; an offset that
-- is not known while planning passes it
SET sliding_prefix.min_total_frame_width = 5;
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 4 PRECEDING) FROM events');
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING), sum(s) OVER (ORDER BY id ROWS 2 PRECEDING) FROM events');
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS (SELECT 1) PRECEDING) FROM events');
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 9223372036854775807 PRECEDING), sum(i) OVER (ORDER BY id ROWS 9223372036854775806 PRECEDING) FROM events');

RESET sliding_prefix.min_total_frame_width;
-- an argument that can fail leaves its window only together with all that is
-- computed there; a cast between integers cannot fail
SELECT left_alone('SELECT sum(1000 / (d + 1)) OVER w AS a, ntile(3) OVER w AS b FROM events WINDOW w AS (ORDER BY id ROWS 2 PRECEDING)');
SELECT window_nodes('SELECT sum(1000 / (d + 1)) OVER (ORDER BY id ROWS 2 PRECEDING) AS a, ntile(3) OVER (ORDER BY id) AS b FROM events');
SELECT window_nodes('SELECT sum(s::bigint) OVER (ORDER BY id ROWS 2 PRECEDING) AS a, ntile(3) OVER (ORDER BY id) AS b FROM events');
SELECT window_nodes('SELECT sum(1000 / (d + 1)) OVER (ORDER BY id ROWS 2 PRECEDING), max(1000 / (d + 1)) OVER (ORDER BY id ROWS 2 PRECEDING) FROM events');
-- frames that do not end with their row, where something can fail
SELECT left_alone('SELECT sum(1000 / (d + 1)) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) FROM events');
SELECT left_alone('SELECT sum(1000 / (d + 1)) OVER (ORDER BY d) FROM events');
SELECT left_alone('SELECT sum(1000 / (d + 1)) OVER (ORDER BY d RANGE 3 PRECEDING) FROM events');
-- ... to which adding to a timestamp counts while something of its window stays
SELECT left_alone('SELECT sum(i) OVER w, max(i) OVER w FROM events WINDOW w AS (ORDER BY timestamp ''2024-01-01'' + d * interval ''1 day'' RANGE ''3 days'' PRECEDING)');
SELECT left_alone('SELECT sum(1000 / (d + 1)) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM events');
SELECT left_alone('SELECT sum(i) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM (SELECT id, 1000 / (d + 1) AS i FROM events) e');

DROP SCHEMA mine CASCADE;
DROP FUNCTION left_alone;

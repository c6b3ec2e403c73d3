-- The windowagg strategy: what differs from fused, and its plans.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET sliding_prefix.strategy = windowagg;
SET sliding_prefix.min_total_frame_width = 0;
SET client_min_messages = warning;
\set SHOW_CONTEXT never

CREATE TABLE strict_events AS SELECT id, k, d, coalesce(s, 0::smallint) AS s, coalesce(i, 0) AS i, coalesce(b, 0) AS b, i AS maybe FROM events;
ALTER TABLE strict_events ALTER s SET NOT NULL, ALTER i SET NOT NULL, ALTER b SET NOT NULL;
ANALYZE strict_events;

-- two nodes, whatever the number of frames, and no sort more than before
CREATE FUNCTION sorts_and_windows(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text := '';
    setting text;
BEGIN
    FOREACH setting IN ARRAY ARRAY['off', 'on'] LOOP
        PERFORM set_config('sliding_prefix.enabled', setting, true);
        result := result || (SELECT format('%s: %s sorts, %s windows  ', setting,
            count(*) FILTER (WHERE line ~ '(Sort|Incremental Sort)($|  )'), count(*) FILTER (WHERE line ~ 'WindowAgg')) FROM plan_of(query) line);
    END LOOP;
    RETURN result;
END $$;
SELECT sorts_and_windows('TABLE dashboard');
SELECT sorts_and_windows($$SELECT sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING), sum(i) OVER (PARTITION BY k ORDER BY d, id ROWS 3 PRECEDING),
    rank() OVER (PARTITION BY k ORDER BY d), sum(i) OVER (ORDER BY id DESC ROWS 3 PRECEDING) FROM events$$);

-- plans: the NULL guard is there for a measure that may be NULL only
SELECT plan_of($$SELECT sum(b) OVER (PARTITION BY k ORDER BY d ROWS 2 PRECEDING) AS x,
    sum(b) OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS y FROM strict_events$$);
CREATE FUNCTION is_guarded(query text) RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_or(line ~ 'THEN NULL::') FROM plan_of(query, 'COSTS OFF, VERBOSE') line
$$;
SELECT measure, is_guarded(format('SELECT sum(%s) OVER (ORDER BY id ROWS 2 PRECEDING) FROM %s', measure, source)) AS guarded, source
FROM (VALUES
    ('b', 'strict_events'), ('s', 'strict_events'), ('maybe', 'strict_events'), ('i', 'events'),
    ('1', 'events'), ('NULL::int', 'events'), ('coalesce(i, 0)', 'events'), ('coalesce(i, maybe)', 'strict_events'), ('coalesce(maybe, i)', 'strict_events'),
    ('i::bigint', 'strict_events'), ('s::int', 'strict_events'), ('maybe::bigint', 'strict_events'), ('i + 1', 'strict_events'),
    ('nullif(i, 0)', 'strict_events'),
    ('i', '(SELECT * FROM strict_events ORDER BY d LIMIT 100) q'),
    ('i', '(SELECT id, i FROM strict_events UNION ALL SELECT id, s FROM strict_events) q'),
    ('i', '(SELECT id, i FROM strict_events UNION ALL SELECT id, maybe FROM strict_events) q'),
    ('l.i', '(SELECT id AS lid, i FROM strict_events) l JOIN events e ON e.id = l.lid'),
    ('r.i', 'events e LEFT JOIN (SELECT id AS rid, i FROM strict_events) r ON r.rid = e.d'),
    ('l.i', '(SELECT id AS lid, i FROM strict_events) l LEFT JOIN events e ON e.id = l.lid'),
    ('l.i', '(SELECT id AS lid, i FROM strict_events) l FULL JOIN events e ON e.id = l.lid'),
    ('c', '(SELECT k AS id, count(*) AS c FROM events GROUP BY k) q'),
    ('c', '(SELECT k AS id, sum(i)::int AS c FROM strict_events GROUP BY k) q'),
    ('i', '(SELECT i, i AS id FROM strict_events GROUP BY i) q'),
    ('i', '(SELECT i, i AS id FROM strict_events GROUP BY GROUPING SETS ((i), ())) q'),
    ('x', '(VALUES (1, 1), (2, NULL)) v(id, x)'),
    ('g', 'generate_series(1, 3) v(g), events')) v(measure, source);
-- both sides of an outer join, by each kind of join
CREATE FUNCTION guarded_sides(joins text, kind text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    setting text;
    side text;
    result text := '';
BEGIN
    FOREACH setting IN ARRAY ARRAY['hashjoin', 'mergejoin', 'nestloop'] LOOP
        PERFORM set_config('enable_' || setting, (setting = joins)::text, true);
    END LOOP;
    FOREACH side IN ARRAY ARRAY['l', 'r'] LOOP
        result := result || format('%s: %s  ', side, is_guarded(format(
            'SELECT sum(%s.i) OVER (ORDER BY l.d, r.d ROWS 2 PRECEDING) FROM strict_events l %s JOIN strict_events r ON l.id = r.k', side, kind)));
    END LOOP;
    FOREACH setting IN ARRAY ARRAY['hashjoin', 'mergejoin', 'nestloop'] LOOP
        PERFORM set_config('enable_' || setting, 'true', true);
    END LOOP;
    RETURN result;
END $$;
SELECT kind, guarded_sides('hashjoin', kind) AS hash, guarded_sides('mergejoin', kind) AS merge, guarded_sides('nestloop', kind) AS loop
FROM unnest(ARRAY['INNER', 'LEFT', 'RIGHT', 'FULL']) kind;
-- and where it is left out, the answers are right
SELECT compare($$SELECT id, sum(s) OVER w AS a, sum(i) OVER w AS b, sum(b) OVER w AS c, sum(coalesce(maybe, i)) OVER w AS e, sum(maybe) OVER w AS f,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS g FROM strict_events WINDOW w AS (PARTITION BY k ORDER BY d ROWS 3 PRECEDING)$$);
SELECT compare($$SELECT e.id, sum(r.i) OVER (ORDER BY e.id ROWS 2 PRECEDING) FROM events e LEFT JOIN strict_events r ON r.id = e.d$$);
SET sliding_prefix.strategy = windowagg;

-- a constraint that does not hold for the rows there are proves nothing;
-- dropping it makes a cached plan anew
PREPARE guarded AS SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING) FROM strict_events;
SELECT is_guarded('EXECUTE guarded');
ALTER TABLE strict_events ALTER i DROP NOT NULL;
SELECT is_guarded('EXECUTE guarded');

-- offsets that this strategy leaves to stock, and stock's errors
SELECT function, rewritten, reason FROM sliding_prefix_explain($$SELECT
    sum(i) OVER (ORDER BY id ROWS 2147483646 PRECEDING), sum(i) OVER (ORDER BY id ROWS 2147483647 PRECEDING),
    sum(i) OVER (ORDER BY id ROWS 9223372036854775807 PRECEDING), sum(i) OVER (ORDER BY id ROWS $1 PRECEDING),
    sum(i) OVER (ORDER BY id ROWS (SELECT 3) PRECEDING), sum(i) OVER (ORDER BY id ROWS -1 PRECEDING),
    sum(i) OVER (ORDER BY id ROWS NULL PRECEDING) FROM events$$);
SELECT sum(i) OVER (ORDER BY d ROWS -1 PRECEDING), sum(i) OVER (ORDER BY d ROWS NULL PRECEDING) FROM events;
SELECT sum(i) OVER (ORDER BY d ROWS NULL PRECEDING), sum(i) OVER (ORDER BY d ROWS 1 PRECEDING) FROM events WHERE false;
PREPARE rolling(bigint) AS SELECT sum(i) OVER (ORDER BY id ROWS $1 PRECEDING) FROM events LIMIT 3;
SET plan_cache_mode = force_generic_plan;
EXECUTE rolling(1);
EXECUTE rolling(-1);
EXECUTE rolling(NULL);
RESET plan_cache_mode;
EXECUTE rolling(1);
EXECUTE rolling(-1);

-- a role that may not call lag() gets stock's plan, not an error of ours
CREATE ROLE sp_lagless;
GRANT SELECT ON events TO sp_lagless;
REVOKE EXECUTE ON FUNCTION pg_catalog.lag(anyelement, int) FROM PUBLIC;
SET ROLE sp_lagless;
SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING) FROM events LIMIT 1;
SELECT reason FROM sliding_prefix_explain('SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING) FROM events');
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_catalog.lag(anyelement, int) TO PUBLIC;
DROP OWNED BY sp_lagless;
DROP ROLE sp_lagless;

-- a user's own operators and functions in front of pg_catalog are not called
CREATE SCHEMA trap;
CREATE FUNCTION trap.lag(bigint, int) RETURNS bigint LANGUAGE sql AS 'SELECT 1 / 0';
CREATE FUNCTION trap.minus(bigint, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1 / 0';
CREATE OPERATOR trap.- (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = trap.minus);
SET search_path = trap, pg_catalog, public;
SELECT compare('SELECT sum(i) OVER (ORDER BY id ROWS 1 PRECEDING) FROM events');
SET sliding_prefix.strategy = windowagg;
RESET search_path;
DROP SCHEMA trap CASCADE;

-- the default gate leaves alone what would lose
SET sliding_prefix.min_total_frame_width = -1;
CREATE FUNCTION gated(measures text[], nwindows int) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(DISTINCT coalesce(reason, 'rewritten'), ', ') FROM sliding_prefix_explain(
        (SELECT format('SELECT %s FROM strict_events', string_agg(format('sum(%s) OVER (ORDER BY id ROWS %s PRECEDING)', m, 100 * w), ', '))
         FROM unnest(measures) m, generate_series(1, nwindows) w))
$$;
SELECT n AS windows, gated('{b}', n) AS one_measure, gated('{s,b,1}', n) AS three, gated('{s,b,1,2}', n) AS four, gated('{i,b}', n) AS one_nullable
FROM generate_series(1, 5) n;

DROP FUNCTION gated(text[], int);
DROP TABLE strict_events;
DROP FUNCTION sorts_and_windows, is_guarded, guarded_sides;

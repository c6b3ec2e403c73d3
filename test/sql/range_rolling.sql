-- range_rolling() and its kind: what is special, with the right values.
-- The server's own frames are compared in range_rolling_random.

-- the example of the method's origin: 1 day to either side
SET client_min_messages = warning;
CREATE TABLE days (u int, d int, x int);
INSERT INTO days VALUES (1, 1, 10), (1, 2, 20), (1, 3, 10), (1, 7, 50), (1, 7, 60), (2, 1, 20), (2, 1, 30), (2, 2, 80), (2, 4, 40);
SELECT u, d, x, range_rolling(x, d, 1, 1, 1) OVER w AS sum FROM days WINDOW w AS (PARTITION BY u ORDER BY d);
SELECT u, d, x, range_rolling(x, date '2024-02-27' + d, preceding => '1 day', following => '1 day') OVER w AS by_date,
       range_rolling(x, timestamp '2024-02-27' + d * interval '1 day', '1 day', '1 day') OVER w AS by_timestamp,
       range_rolling(x, timestamptz '2024-02-27' + d * interval '1 day', '1 day', '1 day') OVER w AS by_timestamptz,
       range_rolling(x, d::smallint, 1, 1) OVER w AS by_smallint, range_rolling(x, d::bigint, 1, 1) OVER w AS by_bigint
FROM days WINDOW w AS (PARTITION BY u ORDER BY d);

-- every aggregate, and its type
SELECT u, d, x, range_rolling(x, d, 1, 0) OVER w AS sum, range_rolling_avg(x, d, 1, 0) OVER w AS avg, range_rolling_min(x, d, 1, 0) OVER w AS min,
       range_rolling_max(x, d, 1, 0) OVER w AS max, range_rolling_count(x, d, 1, 0) OVER w AS count
FROM days WINDOW w AS (PARTITION BY u ORDER BY d DESC);
SELECT pg_typeof(sum) AS sum, pg_typeof(avg) AS avg, pg_typeof(min) AS min, pg_typeof(max) AS max, pg_typeof(count) AS count
FROM (SELECT range_rolling(x::smallint, d, 1, 0) OVER w AS sum, range_rolling_avg(x::smallint, d, 1, 0) OVER w AS avg, range_rolling_min(x::smallint, d, 1, 0) OVER w AS min,
             range_rolling_max(x::smallint, d, 1, 0) OVER w AS max, range_rolling_count(x::smallint, d, 1, 0) OVER w AS count FROM days WINDOW w AS (ORDER BY d)) q LIMIT 1;
SELECT pg_typeof(sum) AS sum, pg_typeof(avg) AS avg, pg_typeof(min) AS min, pg_typeof(max) AS max, pg_typeof(count) AS count
FROM (SELECT range_rolling(x, d, 1, 0) OVER w AS sum, range_rolling_avg(x, d, 1, 0) OVER w AS avg, range_rolling_min(x, d, 1, 0) OVER w AS min,
             range_rolling_max(x, d, 1, 0) OVER w AS max, range_rolling_count(x, d, 1, 0) OVER w AS count FROM days WINDOW w AS (ORDER BY d)) q LIMIT 1;
SELECT pg_typeof(sum) AS sum, pg_typeof(avg) AS avg, pg_typeof(min) AS min, pg_typeof(max) AS max, pg_typeof(count) AS count
FROM (SELECT range_rolling(x::bigint, d, 1, 0) OVER w AS sum, range_rolling_avg(x::bigint, d, 1, 0) OVER w AS avg, range_rolling_min(x::bigint, d, 1, 0) OVER w AS min,
             range_rolling_max(x::bigint, d, 1, 0) OVER w AS max, range_rolling_count(x::bigint, d, 1, 0) OVER w AS count FROM days WINDOW w AS (ORDER BY d)) q LIMIT 1;
-- sums of bigint do not overflow; values of any type are counted
SELECT range_rolling(x, d, 1, 0) OVER w AS sum, range_rolling_avg(x, d, 1, 0) OVER w AS avg, range_rolling_count(d::text, d, 1, 0) OVER w AS count
FROM (VALUES (1, 9223372036854775807), (2, 9223372036854775807), (3, -9223372036854775808), (4, -9223372036854775808)) v(d, x) WINDOW w AS (ORDER BY d);

-- NULL keys are peers of each other; only UNBOUNDED reaches them from others
CREATE TABLE gaps (id int, k int, x int);
INSERT INTO gaps VALUES (1, NULL, 100), (2, NULL, 200), (3, 1, 1), (4, 2, NULL), (5, 2, 2), (6, 5, 4), (7, 9, 8);
SELECT k, range_rolling(x, k, 1, 1) OVER w AS bounded, range_rolling(x, k, NULL, 0) OVER w AS from_start, range_rolling(x, k, 0, NULL) OVER w AS to_end,
       range_rolling(x, k, NULL, NULL) OVER w AS all, range_rolling(x, k, -1, 5) OVER w AS ahead, range_rolling(x, k, 5, -1) OVER w AS behind, range_rolling(x, k, -1, -1) OVER w AS empty
FROM gaps WINDOW w AS (ORDER BY k, id);
SELECT k, range_rolling(x, k, 1, 1) OVER w AS bounded, range_rolling(x, k, NULL, 0) OVER w AS from_start, range_rolling(x, k, 0, NULL) OVER w AS to_end,
       range_rolling(x, k, NULL, NULL) OVER w AS all, range_rolling(x, k, -1, 5) OVER w AS ahead, range_rolling(x, k, 5, -1) OVER w AS behind, range_rolling(x, k, -1, -1) OVER w AS empty
FROM gaps WINDOW w AS (ORDER BY k NULLS FIRST, id);
SELECT k, range_rolling(x, k, 1, 1) OVER w AS bounded, range_rolling(x, k, NULL, 0) OVER w AS from_start, range_rolling(x, k, 0, NULL) OVER w AS to_end,
       range_rolling(x, k, NULL, NULL) OVER w AS all, range_rolling(x, k, -1, 5) OVER w AS ahead, range_rolling(x, k, 5, -1) OVER w AS behind, range_rolling(x, k, -1, -1) OVER w AS empty
FROM gaps WINDOW w AS (ORDER BY k DESC, id);
SELECT k, range_rolling(x, k, 1, 1) OVER w AS bounded, range_rolling(x, k, NULL, 0) OVER w AS from_start, range_rolling(x, k, 0, NULL) OVER w AS to_end,
       range_rolling(x, k, NULL, NULL) OVER w AS all, range_rolling(x, k, -1, 5) OVER w AS ahead, range_rolling(x, k, 5, -1) OVER w AS behind, range_rolling(x, k, -1, -1) OVER w AS empty
FROM gaps WINDOW w AS (ORDER BY k DESC NULLS LAST, id);
-- all keys NULL, all values NULL, one row, no row
SELECT range_rolling(x, NULL::date, '1 day', 0) OVER w AS sum, range_rolling_max(x, NULL::int, 1, 0) OVER w AS max FROM gaps WINDOW w AS (ORDER BY NULL::date) LIMIT 2;
SELECT range_rolling(NULL::int, k, 1, 0) OVER w AS sum, range_rolling_min(NULL::int, k, 1, 0) OVER w AS min, range_rolling_count(NULL::int, k, 1, 0) OVER w AS count FROM gaps WINDOW w AS (ORDER BY k) LIMIT 2;
SELECT k, range_rolling(x, k, 100, 100) OVER (PARTITION BY id ORDER BY k) AS sum FROM gaps WHERE id < 4 ORDER BY id;
SELECT range_rolling(x, k, 1, 0) OVER (ORDER BY k) FROM gaps WHERE false;
SELECT u, d, range_rolling(x, d, 0, 0) OVER (PARTITION BY u ORDER BY d) AS same_day FROM days;

-- min_periods counts non-NULL values
SELECT k, x, range_rolling(x, k, 3, 0, 0) OVER w AS none, range_rolling(x, k, 3, 0, 1) OVER w AS one, range_rolling_avg(x, k, 3, 0, 2) OVER w AS two,
       range_rolling_max(x, k, 3, 0, min_periods => 100) OVER w AS more, range_rolling_count(x, k, 3, 0) OVER w AS count, range_rolling_count(x, k, 3, 0, 2) OVER w AS count_of_two,
       range_rolling(x, k, -100, 200, 0) OVER w AS empty
FROM gaps WHERE k > 0 WINDOW w AS (ORDER BY k, id);

-- offsets at the end of the type, at keys at its end
SELECT k, range_rolling(1, k, 32767, 0) OVER w AS back, range_rolling(1, k, 0, 32767) OVER w AS ahead, range_rolling(1, k, -32767, 32767) OVER w AS from_far, range_rolling(1, k, (-32768)::smallint, NULL) OVER w AS beyond
FROM unnest('{-32768, -32767, 0, 32766, 32767}'::smallint[]) k WINDOW w AS (ORDER BY k);
SELECT k, range_rolling(1, k, 9223372036854775807, 0) OVER w AS back, range_rolling(1, k, 0, 9223372036854775807) OVER w AS ahead, range_rolling(1, k, (-9223372036854775808)::bigint, NULL) OVER w AS beyond,
       range_rolling(1, k, (-9223372036854775808)::bigint, NULL) OVER (ORDER BY k DESC) AS before
FROM (VALUES ((-9223372036854775808)::bigint), (-9223372036854775807), (0), (9223372036854775806), (9223372036854775807)) v(k) WINDOW w AS (ORDER BY k) ORDER BY k;

-- dates and timestamps at their limits: the server's own frames raise errors
CREATE TABLE moments (t timestamp);
INSERT INTO moments VALUES ('-infinity'), ('4714-11-24 00:00:00 BC'), ('4714-11-24 00:00:01 BC'), ('4714-12-24 00:00:00 BC'), ('2024-02-29'),
    ('294276-12-01'), ('294276-12-31 23:59:58'), ('294276-12-31 23:59:59.999999'), ('infinity');
SELECT t, range_rolling(1, t, '1 second', '1 second') OVER w AS second, range_rolling(1, t, '1 month', '1 month') OVER w AS month, range_rolling(1, t, '30 days', '30 days') OVER w AS days,
       range_rolling(1, t, '300000 years', '0') OVER w AS years_back, range_rolling(1, t, '0', '300000 years') OVER w AS years_ahead, range_rolling(1, t, '-100000000 days', '100000000 days') OVER w AS far_ahead
FROM moments WINDOW w AS (ORDER BY t);
SET TimeZone = 'America/New_York';
SELECT range_rolling(1, t, '1 second', '1 second') OVER w AS second, range_rolling(1, t, '1 month', '1 month') OVER w AS month, range_rolling(1, t, '30 days', '30 days') OVER w AS days,
       range_rolling(1, t, '300000 years', '0') OVER w AS years_back, range_rolling(1, t, '0', '300000 years') OVER w AS years_ahead, range_rolling(1, t, '-100000000 days', '100000000 days') OVER w AS far_ahead
FROM (SELECT t AT TIME ZONE 'UTC' AS t FROM moments) v WINDOW w AS (ORDER BY t);
RESET TimeZone;
SELECT d, range_rolling(1, d, 31, 31) OVER w AS days, range_rolling(1, d, '1 month', '1 month') OVER w AS month, range_rolling(1, d, '6000000 years', '0') OVER w AS years, range_rolling(1, d, 0, 2147483647) OVER w AS ahead,
       range_rolling(1, d, '11 months 30 days 23:59', '0') OVER w AS nearly_a_year
FROM (VALUES (date '-infinity'), ('4714-11-24 BC'), ('2024-02-28'), ('2024-02-29'), ('294277-01-01'), ('294277-12-31'), ('5874897-01-01'), ('5874897-12-31'), ('infinity')) v(d) WINDOW w AS (ORDER BY d);

-- months clamp at the month's end, days follow the calendar
SELECT d, range_rolling_count(1, d, '1 month', '0') OVER w AS back, range_rolling_count(1, d, '0', '1 month') OVER w AS ahead, range_rolling_count(1, d, '12 hours', '12 hours') OVER w AS half_a_day
FROM (VALUES (date '2023-01-28'), ('2023-01-31'), ('2023-02-28'), ('2023-03-28'), ('2023-03-30'), ('2023-03-31'), ('2023-04-30')) v(d) WINDOW w AS (ORDER BY d);

-- a day is not 24 hours when the clocks change
SET TimeZone = 'Europe/Amsterdam';
SELECT t, range_rolling_count(1, t, '1 day', '0') OVER w AS day, range_rolling_count(1, t, '24 hours', '0') OVER w AS hours
FROM (VALUES (timestamptz '2024-03-30 12:00'), ('2024-03-30 13:00'), ('2024-03-31 12:00'), ('2024-03-31 13:00'), ('2024-10-26 12:00'), ('2024-10-27 11:00'), ('2024-10-27 12:00')) v(t) WINDOW w AS (ORDER BY t);
SET TimeZone = 'America/New_York';
SELECT t, range_rolling_count(1, t, '0', '1 day') OVER w AS day, range_rolling_count(1, t, '0', '24 hours') OVER w AS hours
FROM (VALUES (timestamptz '2024-03-09 12:00'), ('2024-03-10 12:00'), ('2024-03-10 13:00'), ('2024-11-02 12:00'), ('2024-11-03 11:00'), ('2024-11-03 12:00')) v(t) WINDOW w AS (ORDER BY t DESC);
RESET TimeZone;

-- a literal offset from a date: a number counts days
SELECT d, range_rolling(1, d, '2', ' +0 ') OVER w AS days, range_rolling(1, d, '2 days', '0') OVER w AS interval FROM (SELECT date '2024-01-01' + i AS d FROM generate_series(0, 3) i) v WINDOW w AS (ORDER BY d);

-- several functions with different offsets in one window
SELECT DISTINCT node FROM (SELECT trim(plan_of($$SELECT range_rolling(x, d, 1, 0) OVER w, range_rolling_max(x, d, 7, 0) OVER w, range_rolling(x, d, NULL, -1) OVER w FROM days WINDOW w AS (PARTITION BY u ORDER BY d)$$)) AS node) p WHERE node ~ 'WindowAgg';
SELECT u, d, range_rolling(x, d, 1, 0) OVER w AS one, range_rolling_max(x, d, 7, 0) OVER w AS max, range_rolling(x, d, NULL, -1) OVER w AS before_today FROM days WINDOW w AS (PARTITION BY u ORDER BY d);

-- domains, parameters, a view, offsets that depend on the partition
CREATE DOMAIN amount AS integer;
CREATE DOMAIN day AS date;
CREATE DOMAIN span AS interval;
SELECT range_rolling(x::amount, ('2024-01-01'::date + d)::day, '1 day'::span, '0'::span) OVER w FROM days WINDOW w AS (PARTITION BY u ORDER BY d) LIMIT 2;
CREATE VIEW rolling AS SELECT u, d, range_rolling(x, date '2024-01-01' + d, '1 day', following => 0, min_periods => 2) OVER (PARTITION BY u ORDER BY d) AS sum FROM days;
DO $$ BEGIN EXECUTE format('CREATE VIEW restored AS %s', pg_get_viewdef('rolling')); END $$;
SELECT * FROM rolling EXCEPT SELECT * FROM restored;
SELECT * FROM rolling WHERE u = 1;
SET plan_cache_mode = force_generic_plan;
PREPARE rolling(int, int, int) AS SELECT d, range_rolling(x, d, $1, $2, $3) OVER (PARTITION BY u ORDER BY d) FROM days;
EXECUTE rolling(1, 0, 1);
EXECUTE rolling(NULL, NULL, 5);
RESET plan_cache_mode;
SELECT u, d, range_rolling(x, d, u, 0) OVER (PARTITION BY u ORDER BY d) FROM days;

-- with the rewrite on, beside functions that are rewritten
SET sliding_prefix.enabled = on;
SELECT window_nodes('SELECT range_rolling(i, d, 1, 0) OVER w, sum(i) OVER (w ROWS 6 PRECEDING) FROM events WINDOW w AS (PARTITION BY k ORDER BY d)');
SELECT compare('SELECT id, range_rolling(i, d, 1, 0) OVER w AS r, sum(i) OVER (w ROWS 6 PRECEDING) AS s, sum(i) OVER (w ROWS 2 PRECEDING) AS t FROM events WINDOW w AS (PARTITION BY k ORDER BY d)', 'allow');
RESET sliding_prefix.enabled;

-- rescans, a cursor that goes back, a subquery per row
SELECT u, s FROM (VALUES (1), (2), (1)) v(p), LATERAL (SELECT u, sum(r) AS s FROM (SELECT u, range_rolling(x, d, p, 0) OVER (ORDER BY d) AS r FROM days WHERE u = p) q GROUP BY u) l;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT d, range_rolling(x, d, 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days;
FETCH 2 FROM c;
FETCH LAST FROM c;
FETCH FIRST FROM c;
COMMIT;

-- errors
CREATE FUNCTION error_of(query text) RETURNS TABLE (code text, message text, detail text, hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT count(v) FROM (' || query || ') q(v)';
    RETURN QUERY SELECT '-', 'no error', '', '';
EXCEPTION WHEN windowing_error OR invalid_preceding_or_following_size OR invalid_parameter_value OR null_value_not_allowed
    OR datatype_mismatch OR undefined_function OR invalid_datetime_format OR invalid_text_representation THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN NEXT;
END $$;
\x
SELECT e.* FROM (VALUES
    ('SELECT range_rolling(x, d, 1, 1) OVER () FROM days'),
    ('SELECT range_rolling(x, d, 1, 1) OVER (PARTITION BY u) FROM days'),
    ('SELECT range_rolling(x, d, 1, 1) OVER (ORDER BY x / 100) FROM days'),
    ('SELECT range_rolling_max(x, d, 1, 1) OVER (ORDER BY u, d) FROM days'),
    ('SELECT range_rolling(x, -d * d + 4 * d, 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, nullif(d, 2), 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, nullif(nullif(d, 1), 7), 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling_avg(x, d, d, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d, 1, nullif(d, 2)) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, now() + d * interval ''1 day'', ''1 month'', CASE WHEN d = 1 THEN interval ''1 month'' ELSE ''30 days'' END) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling_min(x, d, 1, 1, d) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d, 1, 1, -1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling_count(x, d, 1, 1, NULL) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d, interval ''1 day'', 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d, 1, 1.5) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, now() + d * interval ''1 day'', NULL, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, current_date + d, NULL, ''1''::text) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d::float8, 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, ''1'', 1, 1) OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, d, ''1 day'', ''1 day'') OVER (PARTITION BY u ORDER BY d) FROM days'),
    ('SELECT range_rolling(x, current_date + d, ''1 dya'', 1) OVER (PARTITION BY u ORDER BY d) FROM days')) v(query),
    LATERAL error_of(query) e;
\x
-- which offset cannot be read
\set VERBOSITY default
SELECT range_rolling(x, current_date + d, '1 dya', 1) OVER (PARTITION BY u ORDER BY d) FROM days;
SELECT range_rolling_max(x, d, 1, '99999999999999999999') OVER (PARTITION BY u ORDER BY d) FROM days;
-- a partition in which all rows have one key shows no order to refuse
SELECT range_rolling(x, 1, 0, 0) OVER () AS sum FROM days LIMIT 1;
-- nothing is computed without a row, and only as a window function
SELECT range_rolling(x, d::text, 1, 1) OVER () FROM days WHERE false;
SELECT range_rolling(1, 1, 1, 1);

-- a frame larger than work_mem goes to disk, and so do the candidates of max
-- where values fall; a spike drives them all out
CREATE TABLE wide AS
SELECT i, i * 7919 % 10007 AS cycle, 1000000 - i AS falling,
       CASE WHEN i % 50000 = 0 THEN 2000000 ELSE 1000000 - i END AS spiked, sum(i % 1000) OVER (ORDER BY i) AS total
FROM generate_series(1, 200000) i;
SET work_mem = '64kB';
CREATE TABLE rolled AS
SELECT i, range_rolling(i % 1000, i, 20000, 10000) OVER w AS sum, range_rolling_max(cycle, i, 15000, 15000) OVER w AS cycle_max,
       range_rolling_min(cycle, i, -100, 20000) OVER w AS cycle_min, range_rolling_max(falling, i, 30000, -100) OVER w AS falling_max,
       range_rolling_min(falling, i, 30000, 1000) OVER w AS falling_min, range_rolling_max(spiked, i, 30000, 0) OVER w AS spiked_max,
       range_rolling_count(i, i, NULL, -50000) OVER w AS count, range_rolling_avg(i, i, NULL, NULL) OVER w AS avg
FROM wide WINDOW w AS (ORDER BY i);
RESET work_mem;
SELECT count(*) AS rows,
       count(*) FILTER (WHERE r.sum <> upper.total - coalesce(lower.total, 0)) AS sum,
       count(*) FILTER (WHERE cycle_max <> 10006) AS cycle_max,
       count(*) FILTER (WHERE cycle_min <> 0) AS cycle_min,
       count(*) FILTER (WHERE falling_max IS DISTINCT FROM CASE WHEN r.i > 100 THEN 1000000 - greatest(r.i - 30000, 1) END) AS falling_max,
       count(*) FILTER (WHERE falling_min <> 1000000 - least(r.i + 1000, 200000)) AS falling_min,
       count(*) FILTER (WHERE spiked_max <> CASE WHEN r.i >= 50000 AND r.i % 50000 <= 30000 THEN 2000000 ELSE 1000000 - greatest(r.i - 30000, 1) END) AS spiked_max,
       count(*) FILTER (WHERE count <> greatest(r.i - 50000, 0)) AS count,
       count(*) FILTER (WHERE avg::text <> '100000.500000000000') AS avg
FROM rolled r JOIN wide upper ON upper.i = least(r.i + 10000, 200000) LEFT JOIN wide lower ON lower.i = r.i - 20001
WHERE r.i < 200000 - 10107;
-- a frame that lies ahead of the current row, or behind it, whose neighbours
-- are far away
CREATE TABLE leaps AS SELECT i * 10 AS k FROM generate_series(1, 20) i UNION ALL SELECT 200 + i FROM generate_series(1, 200) i;
SELECT sum(s), count(*) FILTER (WHERE s IS DISTINCT FROM native) AS different
FROM (SELECT range_rolling(1, k, NULL, 100) OVER w AS s, sum(1) OVER (w RANGE BETWEEN UNBOUNDED PRECEDING AND 100 FOLLOWING) AS native FROM leaps WINDOW w AS (ORDER BY k)) q;
SELECT sum(ahead) AS ahead, count(*) FILTER (WHERE ahead IS DISTINCT FROM counted) AS different
FROM (SELECT range_rolling_count(1, k, -100, 150) OVER (ORDER BY k) AS ahead, (SELECT count(*) FROM leaps l WHERE l.k BETWEEN o.k + 100 AND o.k + 150) AS counted FROM leaps o) q;
SELECT sum(behind) AS behind, count(*) FILTER (WHERE behind IS DISTINCT FROM counted) AS different
FROM (SELECT range_rolling_count(1, k, 150, -100) OVER (ORDER BY k) AS behind, (SELECT count(*) FROM leaps l WHERE l.k BETWEEN o.k - 150 AND o.k - 100) AS counted FROM leaps o) q;
SET work_mem = '64kB';
SELECT p, sum(ahead) FROM (SELECT i % 2 AS p, range_rolling(1, i, -2000, 2100) OVER (PARTITION BY i % 2 ORDER BY i) AS ahead FROM generate_series(1, 11000) i) q GROUP BY p ORDER BY p;

-- frames that go to disk, fit in memory again, and go to disk again
CREATE TABLE waves AS
SELECT i / 6000 * 10000 + greatest(i % 6000 - 3000, 0) AS k, i * 7919 % 10007 AS x, CASE WHEN i % 3 > 0 THEN 100000 - i END AS falling
FROM generate_series(0, 29999) i;
ANALYZE waves;
SELECT count(*) FILTER (WHERE (s, m, l, h, c) IS DISTINCT FROM (ns, nm, nl, nh, nc)) AS different, sum(c) AS count
FROM (SELECT range_rolling(x, k, 100, 100) OVER w AS s, sum(x) OVER f AS ns,
             range_rolling_max(falling, k, 100, 100) OVER w AS m, max(falling) OVER f AS nm,
             range_rolling_min(falling, k, 100, 100) OVER w AS l, min(falling) OVER f AS nl,
             range_rolling_max(x, k, 100, 100) OVER w AS h, max(x) OVER f AS nh,
             range_rolling_count(falling, k, 100, 100) OVER w AS c, count(falling) OVER f AS nc
      FROM waves WINDOW w AS (ORDER BY k), f AS (ORDER BY k RANGE BETWEEN 100 PRECEDING AND 100 FOLLOWING)) q;

-- an error with a file in use, in a subtransaction, ends the cursor alone
BEGIN;
DECLARE c CURSOR FOR SELECT range_rolling(1000000 / (x - 5000), k, 100, 100) OVER (ORDER BY k) FROM waves;
MOVE 3500 FROM c;
SAVEPOINT s;
MOVE ALL FROM c;
ROLLBACK TO s;
CLOSE c;
DECLARE c CURSOR FOR SELECT range_rolling_max(falling, k, 100, 100) OVER (ORDER BY k) FROM waves;
MOVE 3500 FROM c;
SAVEPOINT s;
MOVE 3500 FROM c;
SELECT 1 / 0;
ROLLBACK TO s;
FETCH 1 FROM c;
MOVE ALL FROM c;
COMMIT;
DO $$
DECLARE
    c refcursor;
    number bigint;
BEGIN
    FOR i IN 1 .. 3 LOOP
        BEGIN
            OPEN c FOR SELECT range_rolling(1000000 / (x - 5000), k, 100, 100) OVER (ORDER BY k) FROM waves;
            MOVE FORWARD 3500 FROM c;
            SELECT count(r) INTO number FROM (SELECT range_rolling(1000000 / (x - 5000), k, 100, 100) OVER (ORDER BY k) FROM waves) q(r);
        EXCEPTION WHEN division_by_zero THEN
            RAISE WARNING '%', sqlerrm;
        END;
    END LOOP;
END $$;
SELECT count(*) AS files FROM pg_ls_tmpdir() WHERE name LIKE 'pgsql_tmp' || pg_backend_pid() || '.%';
RESET work_mem;

-- the direction of a partition's keys cannot be seen when they are all equal
SELECT range_rolling_count(1, k, '1 month -30 days', '0') OVER (ORDER BY k DESC) AS rolling, count(*) OVER (ORDER BY k DESC RANGE '1 month -30 days' PRECEDING) AS native FROM (VALUES (timestamp '2023-03-01')) v(k);
DROP VIEW rolling, restored;
DROP TABLE days, gaps, moments, wide, rolled, leaps, waves;
DROP DOMAIN amount, day, span;
DROP FUNCTION error_of;

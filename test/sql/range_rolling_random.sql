-- range_rolling() and its kind against the server's own RANGE frames, and,
-- where the server has none, against a join: generated cases, the same each time.

-- Rows of one case: keys that lie close together, some of them equal, NULL or
-- at the ends of their type
CREATE FUNCTION make_rows(key_type text, key_sample text[], null_density float8, value_type text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DROP TABLE IF EXISTS sample;
    EXECUTE format('CREATE TEMP TABLE sample AS
        SELECT id, (random() * 3)::int AS p,
               CASE WHEN random() >= $2 THEN ($1[1 + floor(random() * cardinality($1))::int])::%s END AS k,
               CASE WHEN random() >= 0.2 THEN (random() * 200 - 100)::%s END AS v
        FROM generate_series(1, 5 + (random() * 40)::int) id', key_type, value_type)
    USING key_sample, null_density;
END $$;

CREATE FUNCTION pick(choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
    'SELECT choices[1 + floor(random() * cardinality(choices))::int]';

-- Rows for which an aggregate differs from the native one in value or display
CREATE FUNCTION native_differences(ordering text, preceding text, following text, min_periods int)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    arguments text := format('k, %s, %s, %s', coalesce(preceding, 'NULL'), coalesce(following, 'NULL'), min_periods);
    frame text := format('RANGE BETWEEN %s PRECEDING AND %s FOLLOWING',
                         coalesce(preceding, 'UNBOUNDED'), coalesce(following, 'UNBOUNDED'));
    result bigint;
BEGIN
    EXECUTE format($q$
        SELECT count(*) FROM (
            SELECT concat_ws(' ', range_rolling(v, %1$s) OVER w, '|', range_rolling_avg(v, %1$s) OVER w, '|',
                             range_rolling_min(v, %1$s) OVER w, '|', range_rolling_max(v, %1$s) OVER w, '|',
                             range_rolling_count(v, %1$s) OVER w) AS ours,
                   CASE WHEN count(v) OVER (n %2$s) >= %3$s THEN
                   concat_ws(' ', sum(v) OVER (n %2$s), '|', avg(v) OVER (n %2$s), '|',
                             min(v) OVER (n %2$s), '|', max(v) OVER (n %2$s), '|', count(v) OVER (n %2$s))
                   ELSE '| | | |' END AS native
            FROM sample WINDOW w AS (PARTITION BY p ORDER BY %4$s), n AS (PARTITION BY p ORDER BY %5$s)) q
        WHERE ours <> native$q$, arguments, frame, min_periods, ordering, split_part(ordering, ',', 1)) INTO result;
    RETURN result;
END $$;

-- The same against a join, which takes offsets of any sign; NULL keys are peers
CREATE FUNCTION join_differences(ordering text, preceding text, following text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    below text := CASE WHEN ordering ~ 'DESC' THEN following ELSE preceding END;
    above text := CASE WHEN ordering ~ 'DESC' THEN preceding ELSE following END;
    result bigint;
BEGIN
    EXECUTE format($q$
        SELECT count(*) FROM
            (SELECT *, row(range_rolling(v, k, %1$s, %2$s) OVER w, range_rolling_max(v, k, %1$s, %2$s) OVER w,
                           range_rolling_count(v, k, %1$s, %2$s) OVER w) AS ours
             FROM sample WINDOW w AS (PARTITION BY p ORDER BY %3$s)) r
        WHERE ours IS DISTINCT FROM
            (SELECT row(sum(v), max(v), count(v)) FROM sample s
             WHERE s.p = r.p AND (s.k BETWEEN r.k - (%4$s) AND r.k + (%5$s) OR r.k IS NULL AND s.k IS NULL))$q$,
        preceding, following, ordering, below, above) INTO result;
    RETURN result;
END $$;

CREATE FUNCTION rolling_cases(key_type text, key_sample text[], offsets text[], ncases int,
                              OUT cases int, OUT mostly_compared boolean, OUT differing int)
LANGUAGE plpgsql AS $$
DECLARE
    ordering text;
    preceding text;
    following text;
    out_of_range int := 0;
BEGIN
    cases := 0;
    differing := 0;
    FOR i IN 1 .. ncases LOOP
        IF i % 10 = 1 THEN
            PERFORM make_rows(key_type, key_sample, (ARRAY[0, 0.2, 0.2, 1])[1 + i / 10 % 4],
                              pick('{smallint, integer, bigint}'));
        END IF;
        ordering := pick('{k, k DESC, k NULLS FIRST, k DESC NULLS LAST}') || pick('{"", ", id", ", v DESC"}');
        preceding := CASE WHEN random() < 0.9 THEN pick(offsets) END;
        following := CASE WHEN random() < 0.9 THEN pick(offsets) END;
        BEGIN
            cases := cases + 1;
            differing := differing +
                (native_differences(ordering, preceding, following, floor(random() * 4)::int) > 0)::int;
        EXCEPTION WHEN datetime_field_overflow THEN
            out_of_range := out_of_range + 1;
        END;
    END LOOP;
    mostly_compared := out_of_range * 4 < cases;
END $$;

CREATE FUNCTION signed_cases(key_type text, key_sample text[], offsets text[], ncases int,
                             OUT cases int, OUT differing int)
LANGUAGE plpgsql AS $$
BEGIN
    cases := ncases;
    differing := 0;
    FOR i IN 1 .. ncases LOOP
        IF i % 10 = 1 THEN
            PERFORM make_rows(key_type, key_sample, (ARRAY[0, 0.2])[1 + i / 10 % 2], 'integer');
        END IF;
        differing := differing + (join_differences(pick('{k, k DESC, k NULLS FIRST, k DESC NULLS LAST}'),
                                                   pick(offsets), pick(offsets)) > 0)::int;
    END LOOP;
END $$;

CREATE FUNCTION moments(start timestamp, step interval, n int) RETURNS text[] LANGUAGE sql AS
    'SELECT array_agg((start + i * step)::text) FROM generate_series(0, n) i';

SET client_min_messages = warning;
SELECT setseed(0.4);
SET TimeZone = 'Europe/Amsterdam';
SELECT 'smallint' AS key, * FROM rolling_cases('smallint', '{-32768, -32767, -5, -3, 0, 1, 2, 3, 7, 8, 20, 32766, 32767}',
    '{0, 1, 2, 5, 30, 32767, 1::smallint, 2::bigint, 40000}', 700);
SELECT 'integer' AS key, * FROM rolling_cases('integer', '{-2147483648, -2147483647, -5, -3, 0, 1, 2, 3, 7, 8, 20, 2147483646, 2147483647}',
    '{0, 1, 2, 5, 30, 2147483647, 2::smallint, 3::bigint}', 700);
SELECT 'bigint' AS key, * FROM rolling_cases('bigint', '{-9223372036854775808, -9223372036854775807, -3, 0, 1, 2, 7, 8, 9223372036854775806, 9223372036854775807}',
    '{0::bigint, 1::bigint, 2::bigint, 9223372036854775807}', 700);
SELECT 'date' AS key, * FROM rolling_cases('date', moments('2024-01-28', '1 day', 40) || '{-infinity, infinity, 2023-02-28, 4713-01-01 BC}'::text[],
    $${"'0'::interval", "'1 day'::interval", "'36 hours'::interval", "'1 month'::interval", "'1 month -1 day'::interval", "'1 year'::interval"}$$, 900);
SELECT 'timestamp' AS key, * FROM rolling_cases('timestamp', moments('2024-01-29 10:00', '7 hours 13 minutes', 150) || '{-infinity, infinity, 294276-12-31 23:59:59, 4714-11-24 BC}'::text[],
    $${"'0'::interval", "'1 day'::interval", "'36 hours'::interval", "'1 month'::interval", "'1 month -1 day'::interval", "'1 us'::interval"}$$, 900);
SELECT 'timestamptz' AS key, * FROM rolling_cases('timestamptz', moments('2024-03-28 10:00', '4 hours 13 minutes', 40) || moments('2024-10-25 10:00', '37 minutes', 110) || '{-infinity, infinity}'::text[],
    $${"'0'::interval", "'1 day'::interval", "'24 hours'::interval", "'1 day -1 hour'::interval", "'1 month'::interval", "'7 months'::interval", "'2 days 3 hours'::interval"}$$, 900);
SET TimeZone = 'America/New_York';
SELECT 'timestamptz' AS key, * FROM rolling_cases('timestamptz', moments('2024-03-08 10:00', '3 hours 13 minutes', 40) || moments('2024-11-01 10:00', '37 minutes', 110),
    $${"'0'::interval", "'1 day'::interval", "'24 hours'::interval", "'1 month'::interval", "'8 months'::interval", "'2 days 3 hours'::interval"}$$, 900);
SELECT 'integer' AS key, * FROM signed_cases('integer', '{-5, -3, 0, 1, 2, 3, 7, 8, 20}', '{0, 1, -1, 3, -3, 8, -20}', 400);
SELECT 'date' AS key, * FROM signed_cases('date', moments('2024-02-20', '1 day', 20), '{0, 1, -1, 3, -3, 8, -20}', 400);
SELECT 'timestamp' AS key, * FROM signed_cases('timestamp', moments('2024-02-20', '5 hours', 30),
    $${"'0'::interval", "'1 day'::interval", "'-1 day'::interval", "'7 hours'::interval", "'-30 hours'::interval", "'-1 week'::interval"}$$, 400);
RESET TimeZone;
DROP TABLE sample;
DROP FUNCTION make_rows, pick, native_differences, join_differences, rolling_cases, signed_cases, moments;

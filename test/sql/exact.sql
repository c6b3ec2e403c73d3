-- Exactness: wrap-around, 128-bit sums, NULLs, display.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;

-- all-NULL frames are NULL, not 0; NULL entering and leaving
CREATE TEMP TABLE sparse (id int, x int, y bigint, z smallint);
INSERT INTO sparse VALUES (1, NULL, NULL, NULL), (2, NULL, 5, 1), (3, 7, NULL, NULL),
    (4, NULL, NULL, NULL), (5, NULL, NULL, 0), (6, NULL, NULL, NULL), (7, -7, -5, -1), (8, 7, 5, 1);
SELECT id, x, sum(x) OVER w, sum(y) OVER w, sum(z) OVER w,
       sum(x) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS growing
FROM sparse WINDOW w AS (ORDER BY id ROWS 1 PRECEDING);
SELECT compare($$SELECT id, sum(x) OVER w AS c2, sum(y) OVER w AS c3, sum(z) OVER w AS c4,
    sum(x) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS c5, sum(y) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS c6 FROM sparse WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)$$);

-- empty input, one-row partitions, a partition whose key is NULL
SELECT compare($$SELECT sum(x) OVER (ORDER BY id ROWS 1 PRECEDING) FROM sparse WHERE false$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY id ORDER BY d ROWS 3 PRECEDING) FROM events$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY NULLIF(k, k / 2 * 2) ORDER BY d ROWS 3 PRECEDING) FROM events$$);

-- the running sum of integers needs more than 63 bits while no frame does:
-- int2 and int4 sums are summed modulo 2^64, as stock does
CREATE TEMP TABLE large AS
    SELECT id, CASE WHEN id % 2 = 0 THEN 9223372036854775807 ELSE 9223372036854775806 END AS y
    FROM generate_series(1, 200) id;
SELECT compare($$SELECT id, sum(y) OVER (ORDER BY id ROWS 1 PRECEDING) AS c2, sum(-y) OVER (ORDER BY id ROWS 5 PRECEDING) AS c3,
    sum(y) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS c4 FROM large$$);
SELECT sum(y) OVER (ORDER BY id ROWS 1 PRECEDING), sum(-y) OVER (ORDER BY id ROWS 5 PRECEDING),
    sum(y) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM large OFFSET 198;
SELECT compare($$SELECT id, sum(y) OVER (ORDER BY id ROWS 3 PRECEDING)
    FROM (SELECT id, (CASE id % 3 WHEN 0 THEN -9223372036854775808 WHEN 1 THEN 9223372036854775807 END)::bigint AS y
          FROM generate_series(1, 100) id) x$$);

-- every length of a numeric result: trailing zeros, signs, powers of ten
SELECT compare($$SELECT y, sum(y) OVER (ORDER BY y ROWS 0 PRECEDING) AS c2, sum(y) OVER (ORDER BY y ROWS 2 PRECEDING) AS c3,
    sum(y) OVER (ORDER BY y ROWS UNBOUNDED PRECEDING) AS c4 FROM (SELECT (sign * trunc(10::numeric ^ p) + delta)::bigint AS y
          FROM generate_series(0, 18) p, generate_series(-1, 1) delta, unnest(ARRAY[-1, 1]) sign) x$$);

-- duplicate order keys: row by row as stock in the same plan
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d / 5 ROWS 3 PRECEDING) FROM events$$);
-- sums of positive values stay positive where an inner sort reorders ties
SELECT min(total) > 0 AS positive FROM (
    SELECT sum(1) OVER (PARTITION BY k ORDER BY d / 20 ROWS 3 PRECEDING) AS total,
           row_number() OVER (ORDER BY note, id DESC) AS other FROM events) x;

-- extreme widths
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 0 PRECEDING) AS c2,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 1000 PRECEDING) AS c3,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2147483646 PRECEDING) AS c4,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2147483647 PRECEDING) AS c5,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 2147483648 PRECEDING) AS c6,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 9223372036854775806 PRECEDING) AS c7,
    sum(i) OVER (PARTITION BY k ORDER BY d ROWS 9223372036854775807 PRECEDING) AS c8,
    sum(b) OVER (PARTITION BY k ORDER BY d ROWS 9223372036854775807 PRECEDING) AS c9 FROM events$$);

-- partition keys whose equality is not that of their bits
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY c COLLATE ignore_case ORDER BY id ROWS 3 PRECEDING)
    FROM (SELECT *, CASE WHEN id % 2 = 0 THEN upper(left(note, 1)) ELSE left(note, 1) END AS c FROM events) x$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY c ORDER BY id ROWS 3 PRECEDING)
    FROM (SELECT *, CASE WHEN id % 2 = 0 THEN 1.0 ELSE 1.00 END * (id % 3) AS c FROM events) x$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY c ORDER BY id ROWS 3 PRECEDING)
    FROM (SELECT *, CASE id % 4 WHEN 0 THEN '-0'::float8 WHEN 1 THEN 0 WHEN 2 THEN 'NaN' END AS c FROM events) x$$);
SELECT compare($$SELECT id, sum(i) OVER (PARTITION BY note, n, to_jsonb(k), i > 0 ORDER BY id ROWS 3 PRECEDING) FROM events$$);
DROP COLLATION ignore_case;

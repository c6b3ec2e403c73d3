-- 50 copies, each a quarter after the last, stored in the order of the index
SET client_min_messages = warning;
CREATE TABLE blown_up AS
    SELECT (row_number() OVER (ORDER BY origin, departure + n * interval '91 days', id))::int AS id,
           departure + n * interval '91 days' AS departure,
           origin, destination, delay_minutes, distance_miles
    FROM flights, generate_series(0, 49) n ORDER BY 1;
DROP TABLE flights;
ALTER TABLE blown_up RENAME TO flights;
CREATE INDEX ON flights (origin, departure, id);
VACUUM ANALYZE flights;

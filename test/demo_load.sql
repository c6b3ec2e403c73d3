SET client_min_messages = warning;
CREATE TABLE flights (
    id int GENERATED ALWAYS AS IDENTITY,
    departure timestamp, origin text, destination text, delay_minutes int, distance_miles int
);
\set copy '\\copy flights (departure, origin, destination, delay_minutes, distance_miles) FROM ' :'csv' ' WITH (FORMAT csv, HEADER)'
:copy
CREATE INDEX ON flights (origin, departure, id);
ANALYZE flights;

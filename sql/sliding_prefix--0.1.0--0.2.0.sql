/* sql/sliding_prefix--0.1.0--0.2.0.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION sliding_prefix UPDATE TO '0.2.0'" to load this file. \quit

-- Rolling aggregates over a range of the order key.  The offsets' types depend
-- on the key's and are checked when the first row is computed.

CREATE FUNCTION range_rolling(
    value smallint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS bigint
AS 'MODULE_PATHNAME', 'range_rolling'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling(
    value integer,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS bigint
AS 'MODULE_PATHNAME', 'range_rolling'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling(
    value bigint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS numeric
AS 'MODULE_PATHNAME', 'range_rolling'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

COMMENT ON FUNCTION range_rolling(smallint, "any", "any", "any", integer) IS
'sum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling(integer, "any", "any", "any", integer) IS
'sum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling(bigint, "any", "any", "any", integer) IS
'sum of the values of the rows with keys from order_key - preceding to order_key + following';

CREATE FUNCTION range_rolling_avg(
    value smallint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS numeric
AS 'MODULE_PATHNAME', 'range_rolling_avg'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_avg(
    value integer,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS numeric
AS 'MODULE_PATHNAME', 'range_rolling_avg'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_avg(
    value bigint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS numeric
AS 'MODULE_PATHNAME', 'range_rolling_avg'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

COMMENT ON FUNCTION range_rolling_avg(smallint, "any", "any", "any", integer) IS
'average of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_avg(integer, "any", "any", "any", integer) IS
'average of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_avg(bigint, "any", "any", "any", integer) IS
'average of the values of the rows with keys from order_key - preceding to order_key + following';

CREATE FUNCTION range_rolling_min(
    value smallint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS smallint
AS 'MODULE_PATHNAME', 'range_rolling_min'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_min(
    value integer,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS integer
AS 'MODULE_PATHNAME', 'range_rolling_min'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_min(
    value bigint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS bigint
AS 'MODULE_PATHNAME', 'range_rolling_min'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

COMMENT ON FUNCTION range_rolling_min(smallint, "any", "any", "any", integer) IS
'minimum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_min(integer, "any", "any", "any", integer) IS
'minimum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_min(bigint, "any", "any", "any", integer) IS
'minimum of the values of the rows with keys from order_key - preceding to order_key + following';

CREATE FUNCTION range_rolling_max(
    value smallint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS smallint
AS 'MODULE_PATHNAME', 'range_rolling_max'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_max(
    value integer,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS integer
AS 'MODULE_PATHNAME', 'range_rolling_max'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

CREATE FUNCTION range_rolling_max(
    value bigint,
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 1)
RETURNS bigint
AS 'MODULE_PATHNAME', 'range_rolling_max'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

COMMENT ON FUNCTION range_rolling_max(smallint, "any", "any", "any", integer) IS
'maximum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_max(integer, "any", "any", "any", integer) IS
'maximum of the values of the rows with keys from order_key - preceding to order_key + following';

COMMENT ON FUNCTION range_rolling_max(bigint, "any", "any", "any", integer) IS
'maximum of the values of the rows with keys from order_key - preceding to order_key + following';

CREATE FUNCTION range_rolling_count(
    value "any",
    order_key "any",
    preceding "any",
    following "any",
    min_periods integer DEFAULT 0)
RETURNS bigint
AS 'MODULE_PATHNAME', 'range_rolling_count'
LANGUAGE C WINDOW STABLE PARALLEL SAFE;

COMMENT ON FUNCTION range_rolling_count("any", "any", "any", "any", integer) IS
'number of the non-NULL values of the rows with keys from order_key - preceding to order_key + following';

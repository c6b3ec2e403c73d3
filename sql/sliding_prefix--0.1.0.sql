/* sql/sliding_prefix--0.1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION sliding_prefix" to load this file. \quit

-- The rewrite of window functions lives in the library and needs no object.

CREATE FUNCTION sliding_prefix_explain(
    query text,
    OUT run integer,
    OUT function text,
    OUT rewritten boolean,
    OUT strategy text,
    OUT reason text,
    OUT explanation text)
RETURNS SETOF record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION sliding_prefix_explain(text) IS
'window functions of a query, in plan order: whether each is computed from running sums under the current settings, and if not, why';

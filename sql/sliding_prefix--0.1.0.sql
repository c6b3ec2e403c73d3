/* sql/sliding_prefix--0.1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION sliding_prefix" to load this file. \quit

-- The rewrite of window functions lives in the library and needs no object.

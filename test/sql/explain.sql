-- EXPLAIN of the node.
LOAD 'sliding_prefix';
SET sliding_prefix.enabled = on;
SET client_min_messages = warning;

\set q 'SELECT k, d, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) AS a, sum(i) OVER (PARTITION BY k ORDER BY d ROWS 29 PRECEDING) AS b, sum(b) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) AS c, sum(i) OVER (PARTITION BY k ORDER BY d ROWS UNBOUNDED PRECEDING) AS e FROM events'
SELECT plan_of(:'q');
SELECT plan_of(:'q', 'COSTS OFF, VERBOSE');
SELECT plan_of(:'q' || ' ORDER BY 3, 4 + 1', 'COSTS OFF, VERBOSE');
SELECT plan_of('SELECT a + b, count(*) FROM (' || :'q' || ' OFFSET 0) s GROUP BY 1 HAVING max(c) > 0', 'COSTS OFF, VERBOSE');
SELECT plan_of(:'q', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF');

-- expressions, several tables, offsets that are no constants or very large
SELECT plan_of($$SELECT sum(a.i + b.s) OVER (PARTITION BY a.k, b.k ORDER BY a.d, b.d ROWS 9223372036854775807 PRECEDING),
    sum(a.i) OVER (PARTITION BY a.k, b.k ORDER BY a.d, b.d ROWS 2147483647 PRECEDING),
    2 * sum(a.i) OVER (PARTITION BY a.k, b.k ORDER BY a.d, b.d ROWS 2147483646 PRECEDING)
    FROM events a JOIN events b ON a.id = b.d$$, 'COSTS OFF, VERBOSE') LIMIT 6;
PREPARE p(bigint) AS SELECT sum(i) OVER (ORDER BY id ROWS $1 + 1 PRECEDING) FROM events;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF, VERBOSE) EXECUTE p(1);

-- structured formats carry the same
CREATE FUNCTION node_properties(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
    RETURN (SELECT jsonb_object_agg(key, CASE WHEN key = 'Prefix Memory' THEN to_jsonb((value #>> '{}')::int > 0) ELSE value END)
            FROM jsonb_each((plan -> 0 -> 'Plan')::jsonb)
            WHERE key IN ('Node Type', 'Custom Plan Provider', 'Partition By', 'Order By', 'Running Sums',
                          'Sliding Frames', 'Growing Frames', 'Prefix Memory', 'Disk'));
END $$;
SELECT jsonb_pretty(node_properties(:'q'));
\t on
SELECT line FROM plan_of(:'q', 'COSTS OFF, FORMAT YAML') AS x, regexp_split_to_table(x, E'\n') AS line WHERE line ~ 'Sums|Frames|c1';
SELECT line FROM plan_of(:'q', 'COSTS OFF, FORMAT XML') AS x, regexp_split_to_table(x, E'\n') AS line WHERE line ~ 'Sums|Frames|c1';
\t off

-- never executed: no memory is claimed
SELECT plan_of(:'q' || ' LIMIT 0', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF');
DROP FUNCTION node_properties;

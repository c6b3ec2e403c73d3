-- The settings: defaults, wrong values, reserved prefix.
LOAD 'sliding_prefix';
SELECT name, boot_val, vartype, min_val, max_val, enumvals, context FROM pg_settings
WHERE name LIKE 'sliding_prefix.%' ORDER BY name;
SET sliding_prefix.enabled = perhaps;
SET sliding_prefix.strategy = 'magic';
SET sliding_prefix.min_total_frame_width = -2;
SET sliding_prefix.min_total_frame_width = 2147483648;
SET sliding_prefix.debug_require_rewrite = 'maybe';
SET sliding_prefix.enabeld = on;
-- any user may set them
CREATE ROLE sp_plain;
SET ROLE sp_plain;
SET sliding_prefix.enabled = on;
SET sliding_prefix.min_total_frame_width = 10;
RESET ROLE;
DROP ROLE sp_plain;
-- off again: the plan is stock's
SET sliding_prefix.min_total_frame_width = -1;
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
SET sliding_prefix.enabled = off;
SELECT window_nodes('SELECT sum(i) OVER (ORDER BY id ROWS 3 PRECEDING) FROM events');
-- the extension itself
DROP EXTENSION sliding_prefix;
CREATE EXTENSION sliding_prefix;
SELECT extversion FROM pg_extension WHERE extname = 'sliding_prefix';
DROP EXTENSION sliding_prefix;
CREATE SCHEMA elsewhere;
CREATE EXTENSION sliding_prefix SCHEMA elsewhere;
SELECT reason FROM elsewhere.sliding_prefix_explain('SELECT rank() OVER (ORDER BY 1)');
ALTER EXTENSION sliding_prefix SET SCHEMA public;
DROP SCHEMA elsewhere;

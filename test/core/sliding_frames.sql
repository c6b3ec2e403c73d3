-- Runs after the server's own tests, on their tables: few of those tests hold
-- a frame that is rewritten by every strategy.
SELECT unique1, sum(unique2) OVER w2, sum(ten) OVER w9
FROM tenk1
WHERE unique1 < 12
WINDOW w2 AS (ORDER BY unique1 ROWS BETWEEN 2 PRECEDING AND CURRENT ROW),
	w9 AS (ORDER BY unique1 ROWS BETWEEN 9 PRECEDING AND CURRENT ROW);

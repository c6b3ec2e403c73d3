SELECT origin, departure, destination,
       sum(delay_minutes)           OVER (w ROWS  6 PRECEDING) AS delay_7,
       sum(delay_minutes)           OVER (w ROWS 29 PRECEDING) AS delay_30,
       sum(delay_minutes)           OVER (w ROWS 99 PRECEDING) AS delay_100,
       sum(distance_miles)          OVER (w ROWS  6 PRECEDING) AS miles_7,
       sum(distance_miles)          OVER (w ROWS 29 PRECEDING) AS miles_30,
       sum(distance_miles)          OVER (w ROWS 99 PRECEDING) AS miles_100,
       sum((delay_minutes > 15)::int) OVER (w ROWS  6 PRECEDING) AS late_7,
       sum((delay_minutes > 15)::int) OVER (w ROWS 29 PRECEDING) AS late_30,
       sum((delay_minutes > 15)::int) OVER (w ROWS 99 PRECEDING) AS late_100
FROM flights
WINDOW w AS (PARTITION BY origin ORDER BY departure, id)

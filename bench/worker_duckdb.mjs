// DuckDB, in memory, the table stored in the order of the windows' keys.
//
// The time is that of EXPLAIN ANALYZE: every row is computed, none handed over.
// The package @duckdb/node-api is looked for in the current folder.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const duckdb = createRequire(process.cwd() + '/')('@duckdb/node-api');
const answer = (what) => console.log(JSON.stringify(what));
answer({ version: `DuckDB ${duckdb.version().replace(/^v/, '')}` });

const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();

const requests = {
	async load({ csv, columns, threads }) {
		await connection.run(`SET threads = ${threads}`);
		await connection.run(`CREATE TABLE t (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`);
		await connection.run(`COPY t FROM '${csv}' (FORMAT csv, HEADER false)`);
		return {};
	},
	async run({ sql }) {
		const start = performance.now();
		await connection.runAndReadAll(`EXPLAIN ANALYZE ${sql}`);
		return { seconds: (performance.now() - start) / 1000 };
	},
	async digest({ sql }) {
		const rows = (await connection.runAndReadAll(sql)).getRows();
		return { row: rows[0].map((value) => (value === null ? null : String(value))) };
	},
};

for await (const line of createInterface({ input: process.stdin })) {
	const request = JSON.parse(line);
	answer(await requests[request.do](request));
}

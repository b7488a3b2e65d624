import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeSchema } from './describe-schema.ts';
import { openDb } from './open.ts';

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('Give the address of a migrated database: node db/kit/write-schema.ts URL');
const { pool } = openDb(url, { poolSize: 1 });
writeFileSync(path.join(import.meta.dirname, '../schema.sql'), await describeSchema(pool));
await pool.end();

// @module-tag proof
// @module-tag no-retry
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { VerifyReport } from '#e2e/support/evidence/verify-child.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** A month, how often it is stored, refused bodies beside it, and all the process has for its objects and altogether. */
const { world, copies, lines, heap_mib, refused, peak_mib } = proofSize(
  { world: 'instant:1000', copies: 3, lines: 3_000, heap_mib: 64, refused: 24, peak_mib: 300 },
  { world: 'max-month', copies: 250, lines: 10_000_000, heap_mib: 256, refused: 400, peak_mib: 700 },
);
/** One refused body; incompressible, so that it is as large when it is stored. */
const BODY_BYTES = 8 * 1024 * 1024;

// 24 bodies of 8 MiB at once are 192 MiB beside a process of 150, and 250 maximal slices far more than the heap: what is held is one of each.
test.skipIf(process.platform !== 'linux')(
  `verify reads ${lines} lines and ${refused} refused bodies with ${heap_mib} MiB for its objects and ${peak_mib} MiB at its peak`,
  { timeout: 7_200_000 },
  async () => {
    const testEnv = await openTestEnvironment({ world });
    const { gameId } = await testEnv.game();
    await testEnv.pull(OCTOBER);
    await storeAgain(testEnv, copies - 1);
    await storeRefused(testEnv, gameId, refused);
    const report = await verifyInChild(testEnv.url, gameId);
    expect(report.violations).toEqual([]);
    const { rows } = await testEnv.pool.query<{ lines: number }>(
      'select (select count(*) from renewal_line) + (select count(*) from reversal_line) as lines',
    );
    expect(rows[0]?.lines).toBeGreaterThanOrEqual(lines);
    expect(report.slices).toBe(copies);
    expect(report.peak_kib / 1024).toBeLessThan(peak_mib);
    recordFigure(
      'memory of verify',
      `${rows[0]?.lines} lines in ${report.slices} slices, ${report.responses} responses, ${refused} of them refused, with a heap of ${heap_mib} MiB; peak of the process ${Math.round(report.peak_kib / 1024)} MiB`,
    );
    await testEnv.close();
  },
);

async function verifyInChild(url: string, gameId: number): Promise<VerifyReport> {
  const flags = [`--max-old-space-size=${heap_mib}`];
  const child = spawn(process.execPath, [...flags, 'e2e/support/evidence/verify-child.ts', url, String(gameId)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'test' },
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const [out, log] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`verify ended with ${code ?? signal}: ${log.slice(-2_000)}`);
  return JSON.parse(out) as VerifyReport;
}

/** Stores the newest slice again and again, as newer versions with all their lines and responses. */
async function storeAgain({ pool }: TestEnvironment, times: number): Promise<void> {
  const columns = async (table: string): Promise<string[]> => {
    const { rows } = await pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_identity = 'NO' order by ordinal_position`,
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const copy = async (table: string, changed: Record<string, string>): Promise<string> => {
    const names = await columns(table);
    return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => changed[name] ?? name).join(', ')} from ${table}`;
  };
  const slice = await copy('slice', { version: 'version + 1', supersedes_slice_id: 'slice_id' });
  const parts = await Promise.all(
    ['slice_recipient', 'renewal_line', 'reversal_line', 'refund_event', 'response'].map((table) =>
      copy(table, { slice_id: '$1::bigint' }),
    ),
  );
  for (let time = 0; time < times; time += 1) {
    const { rows } = await pool.query<{ slice_id: number; supersedes_slice_id: number }>(
      `${slice} order by version desc limit 1 returning slice_id, supersedes_slice_id`,
    );
    for (const part of parts) await pool.query(`${part} where slice_id = $2`, [rows[0]?.slice_id, rows[0]?.supersedes_slice_id]);
  }
  await pool.query('analyze');
}

/** Bodies that Invo sent and the client refused, as a failing service leaves them. */
async function storeRefused({ pool }: TestEnvironment, gameId: number, count: number): Promise<void> {
  const inflated = randomBytes(BODY_BYTES);
  const values = [gameId, gzipSync(inflated), createHash('sha256').update(inflated).digest(), inflated.length];
  await pool.query(
    `insert into response (game_id, pull_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal)
     select $1, min(pull_id), 'refused', '/x', 200, clock_now(), $2, $3, $4, 'not a report' from pull`,
    values,
  );
  // The others are copied where they lie: sending each would take the time of the test.
  await pool.query(
    `insert into response (game_id, pull_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal)
     select game_id, pull_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal
     from response, generate_series(2, $1) where purpose = 'refused'`,
    [count],
  );
}

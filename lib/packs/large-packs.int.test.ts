// @module-tag proof
// @module-tag no-retry
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { PackReport } from '#e2e/support/packs/pack-child.ts';
import { closeMonth, pullAndRecheck, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { openTestEnvironment } from '#e2e/support/test-environment.ts';
import type { Month } from '#lib/core/month.ts';
import { exportPack } from './export-pack.ts';
import { verifyPacks } from './verify-pack.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** All that a process has for its objects, and what its work may add to a process that did nothing. */
const HEAP_MIB = 112;
const ADDED_MIB = 100;

// A maximal month: 22 MB of responses, 2,000 recipients and 40,000 lines. Parsed as a whole, its responses alone take more.
test.skipIf(process.platform !== 'linux')(
  `the pack of a maximal month is written and verified with ${HEAP_MIB} MiB for objects and ${ADDED_MIB} MiB more than a process has at rest`,
  { timeout: 900_000 },
  async () => {
    const testEnv = await openTestEnvironment({ world: 'max-month' });
    await pullAndRecheck(testEnv, '2026-10');
    await closeMonth(testEnv, { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') }, '2026-10');
    await testEnv.pool.query('analyze');
    const folder = await mkdtemp(path.join(tmpdir(), 'pack-memory-'));
    const file = path.join(folder, 'pack.zip');
    const written = await inChild(file, testEnv.url, JSON.stringify(testEnv.config));
    const verified = await inChild(file);
    expect(verified).toMatchObject({ violations: [], lines: 2_000 });
    const added = [written, verified].map(({ peak_kib, start_kib }) => Math.round((peak_kib - start_kib) / 1024));
    expect(Math.max(...added)).toBeLessThan(ADDED_MIB);
    recordFigure(
      'memory of an evidence pack',
      `written with ${added[0]} MiB and verified with ${added[1]} MiB more than a process at rest`,
    );
    await rm(folder, { recursive: true });
    await testEnv.close();
  },
);

test('the packs of three months of several slices each are proven in sequence', { timeout: 300_000 }, async () => {
  const testEnv = await openTestEnvironment();
  const folder = await mkdtemp(path.join(tmpdir(), 'sliced-packs-'));
  const people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  const files: string[] = [];
  for (const [index, month] of ['2026-08', '2026-09', '2026-10'].entries()) {
    const days = ['05', '12', '20'].map((day) => `${month}-${day}T00:00:00Z`);
    for (const [part, start] of days.slice(0, 2).entries()) await testEnv.pull({ start, end: days[part + 1] ?? '' });
    await pullAndRecheck(testEnv, month as Month);
    await closeMonth(testEnv, people, month as Month);
    const pack = await exportPack(await testEnv.game(), { runNo: index + 1 }, { takenBy: 'command line' });
    if (!pack.ok) throw new Error(pack.reason);
    files.push(path.join(folder, `${month}.zip`));
    await writeFile(files.at(-1) ?? '', pack.pieces);
  }
  const { packs, games } = await verifyPacks(files);
  expect(games).toMatchObject([{ sequences: [[1, 2, 3]], violations: [] }]);
  expect(packs.map((pack) => pack.violations)).toEqual([[], [], []]);
  expect(Math.max(...packs.map(({ counts }) => counts.responses))).toBeGreaterThan(20);
  // Nothing linked the rows of the audit to its chain, which the index says.
  expect(packs.every(({ index }) => index.left_out.some(({ what }) => what === 'audit_links'))).toBe(true);
  await rm(folder, { recursive: true });
  await testEnv.close();
});

/** Guarantee of the cast: `pack-child.ts` prints a report and nothing else, and ends with 0 only then. */
async function inChild(...args: string[]): Promise<PackReport> {
  const flags = [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=4'];
  const child = spawn(process.execPath, [...flags, 'e2e/support/packs/pack-child.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'test' },
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const [out, log] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${log.slice(-2_000)}`);
  return JSON.parse(out) as PackReport;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet } from '../testing/read-sheet.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { ATTRIBUTION_NOTICE, SHEETS, type SheetName } from './rules/sheets.ts';

const GOLDEN = path.resolve(import.meta.dirname, '../../e2e/golden');
const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(DAY);
});
afterAll(() => testEnv.close());

/** Added up by hand from the golden rows. */
const SUMS: Record<SheetName, { rows: number; sums: Record<string, string> }> = {
  recipients: {
    rows: 13,
    sums: { renewal_count: '13', gross_attributed_usd: '52.7909', reversed_attributed_usd: '27.3155', net_attributed_usd: '25.4754' },
  },
  renewals: {
    rows: 13,
    sums: { amount_usd: '383.0040', invo_fee_usd: '38.3004', partner_revenue_settled_usd: '344.7036', attributed_amount_usd: '52.7909' },
  },
  reversals: {
    rows: 10,
    sums: { refunded_amount_usd: '136.0020', reversed_attributed_usd: '27.3155', partner_revenue_reversed_usd: '117.0018' },
  },
};

test.each(SHEETS)('the %s sheet of the first day of October is the golden file, byte for byte', async (sheet) => {
  const { text, fileName, manifest } = await readSheet(testEnv, DAY, sheet);
  const golden = readFileSync(path.join(GOLDEN, fileName), 'utf8');
  expect(text.split('\r\n')).toEqual(golden.split('\r\n'));
  expect(text).toBe(golden);
  expect(manifest).toMatchObject({
    game: 'demo',
    environment: 'production',
    window: DAY,
    snapshot_id: 1,
    sheet,
    filter: null,
    complete: true,
    reasons: [],
  });
  expect({ rows: manifest.rows, sums: manifest.sums }).toEqual(SUMS[sheet]);
  expect(manifest.sha256).toBe(createHash('sha256').update(golden).digest('hex'));
  expect(manifest.attribution_notice).toEqual(ATTRIBUTION_NOTICE);
  const { digest } = await testEnv.db.selectFrom('snapshot').select('digest').executeTakeFirstOrThrow();
  expect(manifest.snapshot_digest).toBe(digest.toString('hex'));
  expect(manifest.chain_head).toEqual({ position: 1, digest: digest.toString('hex') });
});

test('the manifest has exactly the fields of the contract, in its order', async () => {
  const { manifest } = await readSheet(testEnv, DAY, 'recipients');
  expect(Object.keys(manifest)).toEqual([
    'game',
    'environment',
    'window',
    'snapshot_id',
    'snapshot_digest',
    'sheet',
    'filter',
    'rows',
    'sums',
    'complete',
    'reasons',
    'replaces_snapshot',
    'chain_head',
    'sha256',
    'attribution_notice',
  ]);
});

test('a window that was never pulled is refused, and one without rows is a header alone', async () => {
  await expect(readSheet(testEnv, { start: DAY.end, end: '2026-10-03T00:00:00Z' }, 'renewals')).rejects.toThrow(/never_pulled/);
  const quiet = { start: '2026-10-01T00:00:00.001Z', end: '2026-10-01T00:30:00Z' };
  await testEnv.pull(quiet);
  const { text, manifest } = await readSheet(testEnv, quiet, 'renewals');
  expect([text.endsWith('mint_order_id\r\n'), text.split('\r\n').length, manifest.rows, manifest.sums['amount_usd']]).toEqual([
    true,
    2,
    0,
    '0.00',
  ]);
});

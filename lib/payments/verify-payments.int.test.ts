// @module-tag no-retry
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_CLUSTER } from '#e2e/citus/test-cluster.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll } from '#e2e/support/payouts/hand-over-all.ts';
import { changedCell, dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { UNCOVERED, VERIFIED_PAYMENT_TABLES } from '../evidence/verify/coverage.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideSender, proposeSender } from './change-sender.ts';
import { decideCancel, requestCancel } from './hand-over.ts';
import { makeFiles } from './make-files.ts';
import { decideElsewhere, proposeElsewhere } from './pay-elsewhere.ts';
import { sumWaiting } from './reads/waiting-items.ts';
import { verifyPayments } from './verify-payments.ts';

let testEnv: TestEnvironment;
let game: OpenGame;

/** A run with a cancelled file, payments recorded elsewhere, confirmed and withdrawn, and a file that was handed over. */
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  game = await testEnv.game();
  const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-10');
  const typed = { decimal_sign: '.' };
  await proposeSender(game, ada, PAYEE_KEY, { method: 'paypal', typed });
  await decideSender(game, fiona, PAYEE_KEY, { senderNo: 1, decision: 'withdrawn' });
  await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed });
  await decideSender(game, ada, PAYEE_KEY, { senderNo: 2, decision: 'confirmed' });
  const elsewhere = { runId: run.runId, paidOn: '2026-11-20', note: 'By hand at the bank' };
  await proposeElsewhere(game, fiona, { ...elsewhere, itemNos: [1] });
  await decideElsewhere(game, fiona, { batchNo: 1, decision: 'withdrawn' });
  const proposed = await proposeElsewhere(game, fiona, { ...elsewhere, itemNos: [2] });
  expect(proposed).toEqual({ ok: true, batchNo: 2 });
  expect(await decideElsewhere(game, ada, { batchNo: 2, decision: 'confirmed' })).toEqual({ ok: true });
  const waiting = (await sumWaiting(game.db, run))[0];
  const shown = { count: waiting?.count ?? 0, total_usd: waiting?.total_usd ?? '' };
  const request = { runId: run.runId, method: 'paypal', format: 'paypal_web', executionDate: null, note: 'Share', shown };
  expect(await makeFiles(game, fiona, PAYEE_KEY, request)).toMatchObject({ ok: true });
  await requestCancel(game, ada, { batchNo: 3, reason: 'Wrong note', isNotUploaded: true });
  expect(
    await decideCancel(game, fiona, { batchNo: 3, requesterId: ada.id, reason: 'Wrong note' }, { isAgreed: true, isNotUploaded: true }),
  ).toEqual({ ok: true });
  await handOverAll(testEnv, { preparer: fiona, approver: ada }, run);
});
afterAll(() => testEnv.close());

async function violationsOf(db: OpenGame['db'], key: Buffer | null = PAYEE_KEY): Promise<string[]> {
  const findings = new Findings();
  await verifyPayments(db, game.gameId, key, findings);
  return findings.violations.map(({ name, subject }) => `${name} ${subject}`);
}

test('payments as they are stored have no violation, with the key, with another and without', async () => {
  expect(await violationsOf(testEnv.db)).toEqual([]);
  expect(await violationsOf(testEnv.db, Buffer.alloc(32, 1))).toEqual([]);
  expect(await violationsOf(testEnv.db, null)).toEqual([]);
});

/** Texts that are from a list, and texts that a check would need to fit. */
const LISTED: Record<string, string> = {
  'payout_item.state': `case state when 'paid' then 'sent' else 'paid' end`,
  'payout_batch.method': `case method when 'elsewhere' then 'other' else 'elsewhere' end`,
  'payout_batch.format': `case when format is null then 'generic' end`,
  'payout_batch.currency': `'EUR'`,
  'payout_batch.eur_rate_source': `'ECB'`,
  'payout_batch.item_nos': `array_append(item_nos, 999)`,
  'payout_sender.method': `'wise'`,
};

describe('a change of', () => {
  beforeAll(async () => {
    const client = await testEnv.pool.connect();
    await dropConstraints(client, VERIFIED_PAYMENT_TABLES);
    client.release();
  });

  test.skipIf(IS_CLUSTER)(
    'each covered column of a payment, a file and a sender account is named, and so is a removed row',
    { tags: ['proof'] },
    async () => {
      const { rows } = await testEnv.pool.query<{ table: string; column: string; type: string }>(
        `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = any($1) and column_name <> 'game_id' order by 1, ordinal_position`,
        [VERIFIED_PAYMENT_TABLES],
      );
      const covered = rows.filter(({ table, column }) => UNCOVERED[`${table}.${column}`] === undefined);
      expect(covered.length).toBeGreaterThan(40);
      const unnoticed: string[] = [];
      for (const { table, column, type } of covered) {
        const to = LISTED[`${table}.${column}`] ?? changedCell(column, type);
        const found = await withTampering(
          testEnv.pool,
          // The file that was handed over, or of the others the first.
          async (client) =>
            void (await client.query(
              `update ${table} set ${column} = ${to} where ctid = (select ctid from ${table} order by ${ORDER[table]} limit 1)`,
            )),
          (view) => violationsOf(view),
        );
        if (found.length === 0) unnoticed.push(`${table}.${column}`);
      }
      for (const table of VERIFIED_PAYMENT_TABLES) {
        const found = await withTampering(
          testEnv.pool,
          async (client) =>
            void (await client.query(`delete from ${table} where ctid = (select ctid from ${table} order by ${ORDER[table]} limit 1)`)),
          (view) => violationsOf(view),
        );
        if (found.length === 0) unnoticed.push(`${table} deleted`);
      }
      expect(unnoticed).toEqual([]);
    },
  );

  test('a payee’s sealed account behind a file is named by the bytes that would follow', async () => {
    const found = await withTampering(
      testEnv.pool,
      async (client) =>
        void (await client.query(
          `update payout_item set amount_file = amount_file + 1 where item_no = (select max(item_no) from payout_item)`,
        )),
      (view) => violationsOf(view),
    );
    expect(found).toEqual(expect.arrayContaining(['batch_total_file batch 4', 'file_bytes batch 4']));
  });
});

const ORDER: Record<string, string> = {
  payout_item: 'item_no desc',
  payout_batch: 'batch_no desc',
  payout_sender: 'sender_no desc',
};

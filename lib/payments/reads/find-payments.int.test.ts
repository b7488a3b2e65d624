import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { search } from '#lib/search/search.ts';
import { recordReport } from '../record-report.ts';
import { listPayments } from './list-payments.ts';

let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
});
afterAll(() => testEnv.close());

test('a payment is found by its reference, in any line that names it, and a payment or a listed row by the ID that a provider reports, for who may read payments', async () => {
  const [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
  const game = await testEnv.game();
  const people = { preparer: fiona, approver: gus };
  const run = await closeMonth(testEnv, people, '2026-10');
  const {
    payments: [first],
    batchId,
    ...file
  } = await handOverAll(testEnv, people, run);
  if (first === undefined) throw new Error('nobody is paid');
  const bytes = reportOf([
    [first.reference, 'Completed', first.amount, 'PRV-77120'],
    ['A misprint', 'Completed', '7.00', 'PRV-77121'],
    ['', 'Completed', '8.00', 'Rent 5 Nov'],
  ]);
  expect(await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: null, dateOrder: null })).toMatchObject({ ok: true });
  await testEnv.pool.query(`update payout_batch set provider_reference = 'Order 28/U'`);
  await testEnv.pool.query(`update payout_item set trace = '021000020000001' where item_no = $1`, [first.itemNo]);
  const searchFor = async (text: string, canReadPayments = true) => {
    const rights = { scope: 'local' as const, canSeeEmails: true, canReadDesk: false, canReadPayments };
    const found = await search({ game, config: testEnv.config }, text, rights);
    return found.kind === 'found' ? found.hits : [];
  };
  const hit = { kind: 'payment', reference: first.reference, runNo: run.runNo, amount_usd: first.amount, state: 'paid' };
  for (const text of [
    first.reference,
    first.reference.toLowerCase(),
    first.reference.toLowerCase().replace(/^..../, '$& '),
    `06.11. PAYPAL ${first.reference} ${first.amount} USD`,
    'PRV-77120',
  ])
    expect(await searchFor(text), text).toMatchObject([hit]);
  expect(await searchFor(first.reference, false)).toEqual([]);
  expect(await searchFor('PRV-77121')).toEqual([{ kind: 'report_row', reportNo: 1, rowNo: 3, problem: 'foreign' }]);
  expect(await searchFor('PRV-77121', false)).toEqual([]);
  expect(await searchFor('PRV-7712')).toEqual([]);
  expect(await searchFor('Rent 5 Nov')).toEqual([{ kind: 'report_row', reportNo: 1, rowNo: 4, problem: 'foreign' }]);
  const found = {
    kind: 'payment_file',
    batchNo: file.batchNo,
    runNo: run.runNo,
    itemCount: run.payableCount,
    total: run.totals.payable,
    currency: 'USD',
  };
  for (const text of [batchId, batchId.toLowerCase(), `06.11. SEPA ${batchId} BATCH`, ' Order 28/U'])
    expect(await searchFor(text), text).toEqual([found]);
  expect(await searchFor(batchId, false)).toEqual([]);
  expect(await searchFor('021000020000001')).toMatchObject([{ kind: 'payment', reference: first.reference }]);
  const scope = { gameId: game.gameId, runId: run.runId, runNo: run.runNo, canSeeEmails: true };
  const page = { sort: 'payment_reference', dir: 'asc' as const, after: null, limit: 9 };
  const { rows } = await listPayments(testEnv.db, scope, {
    page,
    find: first.reference.toLowerCase().replace(/.....$/, ' $&'),
    chip: 'all',
  });
  expect(rows).toMatchObject([{ payment_reference: first.reference }]);
});

// @module-tag proof
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goThrough } from '#e2e/support/approvals/acts.ts';
import { reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { closeRun } from '#lib/payments/close-run.ts';
import { decideRow, setForeignRowsAside } from '#lib/payments/decide-row.ts';
import { recordReport } from '#lib/payments/record-report.ts';
import { decideReissue, proposeReissue } from '#lib/payments/reissue.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';

// Every statement of bank reports that stores the first or the second act of what takes two people, in the order in which it happens.
let testEnv: TestEnvironment;
let fiona: SessionActor;
let gus: SessionActor;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

test('each act about what banks report is refused at the commit to who doesn’t count, and to who does after who stopped counting', async () => {
  const game = await testEnv.game();
  const run = await closeMonth(testEnv, { preparer: fiona, approver: gus }, '2026-08');
  const { payments } = await handOverAll(testEnv, { preparer: fiona, approver: gus }, run);
  const [first, ...others] = payments;
  if (first === undefined) throw new Error('nobody is paid');
  const record = async (opened: OpenGame, rows: Parameters<typeof reportOf>[0]) =>
    await recordReport(opened, fiona, PAYEE_KEY, { bytes: reportOf(rows), fileName: null, dateOrder: null });
  const paid = ({ reference, amount }: TestPayment): [string, string, string] => [reference, 'Completed', amount];
  const key = { runId: run.runId, itemNo: first.itemNo };
  const propose = (opened: OpenGame) => proposeReissue(opened, fiona, { ...key, reason: 'The account was closed.' });
  await goThrough(
    testEnv,
    [
      {
        name: 'bank report',
        by: fiona,
        run: (opened) =>
          record(opened, [
            [first.reference, 'Returned', first.amount],
            ['', 'Completed', '4.00'],
            ...others.map(paid),
            ['', 'Completed', '5.00'],
          ]),
      },
      {
        name: 'decision about a report row',
        by: fiona,
        run: (opened) => decideRow(opened, fiona, { reportNo: 1, rowNo: 3, note: 'Rent.', decision: 'set_aside' }),
      },
      {
        name: 'rows set aside at once',
        by: fiona,
        run: (opened) => setForeignRowsAside(opened, fiona, { reportNo: 1, note: 'Wages.', shownCount: 1 }),
      },
      { name: 're-issue', by: fiona, run: propose },
      {
        name: 'withdrawal of a re-issue',
        by: gus,
        run: async (opened) => decideReissue(opened, gus, { ...(await reissueAsShown(opened, key)), decision: 'withdrawn' }),
      },
      { name: 're-issue again', by: fiona, run: propose },
      {
        name: 'confirmed re-issue',
        by: gus,
        after: fiona,
        run: async (opened) => await decideReissue(opened, gus, await reissueAsShown(game, key)),
      },
    ],
    game,
  );
  const [again] = (await handOverAll(testEnv, { preparer: fiona, approver: gus }, run)).payments;
  expect(again && (await record(game, [paid(again)]))).toMatchObject({ ok: true });
  await goThrough(testEnv, [{ name: 'closing', by: fiona, run: (opened) => closeRun(opened, fiona, run.runId) }], game);
});

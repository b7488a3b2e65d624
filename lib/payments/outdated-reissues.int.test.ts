// @module-tag proof
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PaidMonth, reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { makeFileOfAll } from '#e2e/support/payouts/hand-over-all.ts';
import { draftRun, returnToDraft } from '../payouts/draft-run.ts';
import { listWaitingPayouts } from '../payouts/reads/waiting-payouts.ts';
import { decideCancel, requestCancel } from './hand-over.ts';
import { findBatch } from './reads/batches.ts';
import { findOpenReissue } from './reads/reissues.ts';
import { decideReissue, proposeReissue } from './reissue.ts';

let paid: PaidMonth;

beforeAll(async () => {
  paid = await PaidMonth.open();
});
afterAll(() => paid.testEnv.close());

test('a re-issue whose payment is then reported as paid, or paid by another run, waits for both people until one withdraws it', async () => {
  const { testEnv, game, fiona, ada } = paid;
  const first = paid.payment(0);
  const key = { runId: paid.run.runId, itemNo: first.itemNo };
  const waiting = async (): Promise<string[][]> =>
    await Promise.all(
      [fiona, ada].map(async ({ id }) =>
        (await listWaitingPayouts(testEnv.db, game.gameId, id, 100)).flatMap(({ kind }) => (kind.endsWith('reissue') ? [kind] : [])),
      ),
    );
  const openReissue = async (itemNo: number): Promise<unknown> => await findOpenReissue(testEnv.db, game.gameId, { ...key, itemNo });
  const propose = async (): Promise<number> => {
    const proposed = await proposeReissue(game, fiona, { ...key, reason: 'The account was closed' });
    if (!proposed.ok) throw new Error(proposed.reason);
    return proposed.itemNo;
  };
  await paid.report([[first.reference, 'Failed', first.amount, 'W1', '2026-09-22']]);
  const proposedNo = await propose();
  expect(await waiting()).toEqual([[], ['reissue']]);
  const asProposed = await reissueAsShown(game, key);
  const withdraw = async () => await decideReissue(game, fiona, { ...(await reissueAsShown(game, key)), decision: 'withdrawn' });
  await paid.report([[first.reference, 'Completed', first.amount, 'W2', '2026-09-23']]);
  expect(await waiting()).toEqual([['withdraw_reissue'], ['withdraw_reissue']]);
  const shown = { itemNo: first.itemNo, state: 'paid', proposal: { itemNo: proposedNo } };
  for (const itemNo of [first.itemNo, proposedNo]) expect(await openReissue(itemNo)).toMatchObject(shown);
  expect(await decideReissue(game, ada, asProposed)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await withdraw()).toMatchObject({ ok: true });
  for (const itemNo of [first.itemNo, proposedNo]) expect(await openReissue(itemNo)).toBeNull();
  await paid.report([[first.reference, 'Returned', first.amount, 'W3', '2026-09-24']]);
  await propose();
  const stale = await decideReissue(game, fiona, { ...asProposed, decision: 'withdrawn' });
  expect(stale, 'a page that showed the withdrawn proposal').toEqual({ ok: false, reason: 'not_as_shown' });
  const september = await draftRun(game, fiona, '2026-09');
  if (!september.ok) throw new Error(september.reason);
  await paid.submit(september.run);
  expect([await paid.stateOf(first), await waiting()]).toEqual(['to_balance', [['withdraw_reissue'], ['withdraw_reissue']]]);
  expect(await openReissue(first.itemNo)).toMatchObject({ returnedInRunNo: 2, proposal: { proposedById: fiona.id } });
  await returnToDraft(game, fiona, september.run.runId);
  expect(await waiting()).toEqual([[], ['reissue']]);
  expect(await withdraw()).toMatchObject({ ok: true });
  expect(await paid.violations()).toEqual([]);
});

test('a re-issue is in a file that says so, also in the one that follows when that file is cancelled', async () => {
  const { game, fiona, ada, run } = paid;
  const key = { runId: run.runId, itemNo: paid.payment(0).itemNo };
  expect(await proposeReissue(game, fiona, { ...key, reason: 'The account was closed' })).toMatchObject({ ok: true });
  expect(await decideReissue(game, ada, await reissueAsShown(game, key))).toMatchObject({ ok: true });
  const makeFile = async (): Promise<number> => await makeFileOfAll(game, { preparer: fiona, approver: ada }, run);
  const nameOf = async (batchNo: number): Promise<unknown> => (await findBatch(game.db, game.gameId, batchNo))?.fileName;
  const batchNo = await makeFile();
  expect(await nameOf(batchNo)).toBe('demo-2026-08-run1-reissue1-paypal.csv');
  const request = { batchNo, reason: 'Wrong note' };
  expect(await requestCancel(game, fiona, { ...request, isNotUploaded: true })).toMatchObject({ ok: true });
  const decided = await decideCancel(game, ada, { ...request, requesterId: fiona.id }, { isAgreed: true, isNotUploaded: true });
  expect(decided).toMatchObject({ ok: true });
  expect(await nameOf(await makeFile())).toBe('demo-2026-08-run1-reissue2-paypal.csv');
  expect(await paid.violations()).toEqual([]);
});

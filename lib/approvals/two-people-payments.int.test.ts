// @module-tag proof
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goThrough } from '#e2e/support/approvals/acts.ts';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import type { SessionActor } from '../core/roles.ts';
import { decideSender, proposeSender } from '../payments/change-sender.ts';
import { decideCancel, handOver, requestCancel } from '../payments/hand-over.ts';
import { makeFiles } from '../payments/make-files.ts';
import { decideElsewhere, proposeElsewhere } from '../payments/pay-elsewhere.ts';
import { listBatches } from '../payments/reads/batches.ts';
import { sumWaiting } from '../payments/reads/waiting-items.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun } from '../payouts/draft-run.ts';
import { setEurRate } from '../payouts/set-rate.ts';
import { submitRun } from '../payouts/submit-run.ts';

// Every act of two people about payments, in the order in which it happens.
let testEnv: TestEnvironment;
let fiona: SessionActor;
let gus: SessionActor;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

test('each act of two people about payments is refused at the commit to who doesn’t count, and to who does after who stopped counting', async () => {
  const game = await testEnv.game();
  const { gameId } = game;
  const drafted = await draftRun(game, fiona, '2026-10');
  if (!drafted.ok) throw new Error(drafted.reason);
  const { runId } = drafted.run;
  const current = async (): Promise<Run> => {
    const run = await findRun(testEnv.db, gameId, { runId });
    if (run === null) throw new Error('no run');
    return run;
  };
  const typed = { rate: '1.0835', source: 'ECB, 3 Nov 2026' };
  await goThrough(testEnv, [{ name: 'EUR rate', by: fiona, run: (opened) => setEurRate(opened, fiona, runId, typed) }], game);
  await answerChecks(testEnv, fiona, await current());
  const submitted = await submitRun(game, fiona, runId, (await current()).draftDigest ?? '');
  if (!submitted.ok) throw new Error(JSON.stringify(submitted));
  const approved = await approveRun(game, gus, runId, (await current()).contentDigest ?? '');
  if (!approved.ok) throw new Error(JSON.stringify(approved));

  const wanted = async () => {
    const [group] = await sumWaiting(testEnv.db, { gameId, runId });
    const shown = { count: group?.count ?? 0, total_usd: group?.total_usd ?? '0.00' };
    return { runId, method: 'paypal', format: null, executionDate: null, note: 'Revenue share October 2026', shown };
  };
  const sender = { method: 'paypal', typed: { decimal_sign: '.' } };
  const elsewhere = { runId, itemNos: [1], paidOn: '2026-11-05', note: 'By cheque' };
  const newest = async (): Promise<number> => (await listBatches(testEnv.db, gameId, runId)).at(-1)?.batchNo ?? 0;
  const cancel = { reason: 'The wrong note', isNotUploaded: true };
  const shownCancel = { requesterId: fiona.id, reason: cancel.reason };
  await goThrough(
    testEnv,
    [
      { name: 'sender account', by: fiona, run: (opened) => proposeSender(opened, fiona, PAYEE_KEY, sender) },
      {
        name: 'confirmed sender account',
        by: gus,
        after: fiona,
        run: (opened) => decideSender(opened, gus, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' }),
      },
      { name: 'payments as paid elsewhere', by: fiona, run: (opened) => proposeElsewhere(opened, fiona, elsewhere) },
      {
        name: 'confirmed payments as paid elsewhere',
        by: gus,
        after: fiona,
        run: async (opened) => await decideElsewhere(opened, gus, { batchNo: await newest(), decision: 'confirmed' }),
      },
      { name: 'payment files', by: fiona, run: async (opened) => await makeFiles(opened, fiona, PAYEE_KEY, await wanted()) },
      {
        name: 'request to cancel a payment file',
        by: fiona,
        run: async (opened) => await requestCancel(opened, fiona, { ...cancel, batchNo: await newest() }),
      },
      {
        name: 'discarded request to cancel a payment file',
        by: gus,
        run: async (opened) => await decideCancel(opened, gus, { ...shownCancel, batchNo: await newest() }, { isAgreed: false }),
      },
      {
        name: 'second request to cancel a payment file',
        by: fiona,
        run: async (opened) => await requestCancel(opened, fiona, { ...cancel, batchNo: await newest() }),
      },
      {
        name: 'cancelled payment file',
        by: gus,
        after: fiona,
        run: async (opened) =>
          await decideCancel(opened, gus, { ...shownCancel, batchNo: await newest() }, { isAgreed: true, isNotUploaded: true }),
      },
      { name: 'payment files again', by: fiona, run: async (opened) => await makeFiles(opened, fiona, PAYEE_KEY, await wanted()) },
      {
        name: 'hand-over of a payment file',
        by: fiona,
        run: async (opened) => await handOver(opened, fiona, { batchNo: await newest(), providerReference: 'PP-1' }),
      },
    ],
    game,
  );
  expect(await current()).toMatchObject({ isHandedOver: true, hasFiles: true, paidSoFar: { paid: 1, count: approved.run.payableCount } });
});

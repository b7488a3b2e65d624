import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { makeFileOfAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { importDetails } from '../payees/import-details.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import { proposeAdjustment } from '../payouts/adjust-balance.ts';
import { rejectRun, requestVoid, voidRun } from '../payouts/decide-run.ts';
import { excludeRecipients, placeHold, releaseHold } from '../payouts/hold-payment.ts';
import { setEurRate } from '../payouts/set-rate.ts';
import { noteCheck, recordFinding } from '../payouts/submit-run.ts';
import { decideRow } from './decide-row.ts';
import { handOver, requestCancel } from './hand-over.ts';
import { proposeElsewhere } from './pay-elsewhere.ts';
import { recordReport } from './record-report.ts';
import { proposeReissue } from './reissue.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';

const TEXT = 'now to de89 3704 0044 0532 0130 00';
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

const hold = { recipientIds: [1], periodId: null, amount: '', reason: 'other', expiresAt: '' };
const adjustment = { recipientId: 1, amount: '1', kind: 'goodwill', runNo: null, periodId: null, toRecipientId: null };
const details = { recipientId: 1, method: 'paypal', typed: { email: 'mira@example.com' } };

test.each<[string, () => Promise<unknown>, object]>([
  ['the reason of a re-issue', () => proposeReissue(game, fiona, { runId: 1, itemNo: 1, reason: TEXT }), {}],
  ['the bank’s number of a file', () => handOver(game, fiona, { batchNo: 1, providerReference: TEXT }), {}],
  ['the reason to cancel a file', () => requestCancel(game, fiona, { batchNo: 1, reason: TEXT, isNotUploaded: true }), {}],
  ['a note on payments elsewhere', () => proposeElsewhere(game, fiona, { runId: 1, itemNos: [1], paidOn: '2026-11-05', note: TEXT }), {}],
  ['a note on a row of a report', () => decideRow(game, fiona, { reportNo: 1, rowNo: 1, note: TEXT, decision: 'set_aside' }), {}],
  ['the reason of an adjustment', () => proposeAdjustment(game, fiona, { ...adjustment, reason: TEXT }), { field: 'reason' }],
  ['a note on a hold', () => placeHold(game, fiona, { ...hold, note: TEXT }), { field: 'note' }],
  ['a note on an exclusion', () => excludeRecipients(game, fiona, { runId: 1, recipientIds: [1], note: TEXT }), { field: 'note' }],
  ['a note on a released hold', () => releaseHold(game, fiona, { holdId: 1, note: TEXT }), { field: 'note' }],
  ['the source of a rate', () => setEurRate(game, fiona, 1, { rate: '1.1', source: TEXT }), { field: 'source' }],
  ['a note on a check', () => noteCheck(game, fiona, 1, { checkKey: 'a', facts: 'b', note: TEXT }), {}],
  ['a finding', () => recordFinding(game, fiona, 1, { reason: 'a', renewalCount: 1, conclusion: 'b', note: TEXT }), {}],
  ['the reason of a rejection', () => rejectRun(game, fiona, 1, TEXT), {}],
  ['the reason to void a run', () => voidRun(game, fiona, 1, TEXT), {}],
  ['the reason to void an approved run', () => requestVoid(game, fiona, { runId: 1, why: TEXT, isNotUploaded: true }), {}],
  ['the reason of payment details', () => proposeDetails(game, fiona, PAYEE_KEY, { ...details, reason: TEXT }), { field: 'reason' }],
  [
    'the reason of an import',
    () => importDetails(game, fiona, PAYEE_KEY, { bytes: Buffer.from(''), reason: TEXT, shown: '' }),
    { reason: 'account_in_reason' },
  ],
])('%s with an IBAN is refused', async (_, store, more) => {
  const refusal = 'field' in more ? { reason: 'invalid', problem: 'account' } : { reason: 'account' };
  expect(await store()).toEqual({ ok: false, ...refusal, ...more });
});

test('the account of a recipient is refused too, in a text about them or about a file that pays them, and that of another recipient isn’t', {
  tags: 'proof',
}, async () => {
  const { runId, runNo, gameId } = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  const statement = 'select recipient_player_id as id from payout_item where run_id = $1 order by item_no';
  const recipientIds = (await testEnv.pool.query<{ id: number }>(statement, [runId])).rows.map(({ id }) => id);
  const [recipientId = 0, otherId = 0] = recipientIds;
  const text = (id = recipientId): string => `to PAYEE-${id}@creators.example instead`;
  const elsewhere = { runId, itemNos: [1], paidOn: '2026-09-01' };
  const refused = { ok: false, reason: 'account' };
  const refusedIn = (field: string): object => ({ ok: false, reason: 'invalid', field, problem: 'account' });
  expect(await proposeElsewhere(game, fiona, { ...elsewhere, note: text() }, PAYEE_KEY)).toEqual(refused);
  expect(await placeHold(game, fiona, { ...hold, recipientIds, note: text() }, PAYEE_KEY)).toEqual(refusedIn('note'));
  expect(await proposeAdjustment(game, fiona, { ...adjustment, recipientId, reason: text() }, PAYEE_KEY)).toEqual(refusedIn('reason'));
  const batchNo = await makeFileOfAll(game, { preparer: fiona, approver: ada }, { gameId, runId });
  const cancel = { batchNo, reason: text(otherId), isNotUploaded: true };
  expect(await requestCancel(game, fiona, cancel, PAYEE_KEY)).toEqual(refused);
  expect(await handOver(game, fiona, { batchNo, providerReference: text(otherId) }, PAYEE_KEY)).toEqual(refused);
  expect(await handOver(game, fiona, { batchNo, providerReference: 'Upload 0012' }, PAYEE_KEY)).toEqual({ ok: true });
  const { rows } = await testEnv.pool.query<{ amount: string }>('select amount_file as amount from payout_item where run_id = $1', [runId]);
  const reference = formatPaymentReference({ gameId, runNo, itemNo: 1 });
  const bytes = reportOf([
    [reference, 'Failed', rows[0]?.amount ?? ''],
    [reference, 'Completed', '0.01'],
  ]);
  expect(await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: 'report', dateOrder: null })).toMatchObject({ ok: true });
  const row = { reportNo: 1, rowNo: 3, decision: 'set_aside' } as const;
  expect(await decideRow(game, fiona, { ...row, note: text() }, PAYEE_KEY)).toEqual(refused);
  expect(await decideRow(game, fiona, { ...row, note: text(otherId) }, PAYEE_KEY)).toMatchObject({ ok: true });
  expect(await proposeReissue(game, fiona, { runId, itemNo: 1, reason: text() }, PAYEE_KEY)).toEqual(refused);
  expect(await proposeReissue(game, fiona, { runId, itemNo: 1, reason: text(otherId) }, PAYEE_KEY)).toMatchObject({ ok: true });
});

// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOLDER, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { readTransferDetail } from '../transfers/read-transfer.ts';
import { askPhone } from './ask-phone.ts';
import { moveCoins } from './move-coins.ts';
import { openActionPorts } from './press-action.ts';
import { NO_ANSWER, recordAnswer } from './send-approved.ts';

const ASA = 'asa.venn@players.example';
const proof = { tags: ['proof'] };

let testEnv: SendEnvironment;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(async () => {
  await testEnv.startOver();
});
afterAll(() => testEnv.close());

test('A13: 100.00 are moved to the other game: reserved, approved on the player’s phone, moved once, and the code is stored nowhere', async () => {
  expect(await testEnv.wallet(ASA)).toMatchObject({ coins: '5000.00', reserved: '250.00' });
  const actionId = await testEnv.transferApproved();
  expect(await testEnv.start(actionId)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.find(actionId)).toMatchObject({ result: { total_fee: '5.00', net_amount: '95.00', new_balance: '4900.00' } });
  expect(await testEnv.wallet(ASA)).toMatchObject({ coins: '4900.00', reserved: '350.00' });
  expect(await testEnv.ask(actionId)).toMatchObject({ ok: true, shown: { user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) } });
  await testEnv.phone('approve');
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'approved' });
  // The phone approved, and nothing has moved.
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('transfer-approve')]).toEqual(['with_player', 0]);
  // The code is for its requester.
  const bySara = await moveCoins(testEnv.context, testEnv.people.sara, { startId: actionId, draftId: crypto.randomUUID() }, HOLDER);
  expect(bySara).toEqual({ ok: false, reason: 'not_allowed' });
  const moved = await testEnv.move(actionId);
  expect(moved).toMatchObject({ ok: true, passes: { what: 'claim_code', text: expect.stringContaining('CLM-') } });
  expect([await testEnv.stateOf(actionId), (await testEnv.findStep(actionId))?.state]).toEqual(['done', 'done']);
  expect(await testEnv.move(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await testEnv.executed('transfer-approve')).toMatchObject([{ executions: 1, calls: 1 }]);
  expect(await listTablesHolding(testEnv.pool, anyOf(await testEnv.secretsGiven()))).toEqual([]);
  expect(await listTablesHolding(testEnv.pool, /15112345678/)).toEqual([]);
  await testEnv.control('POST', 'collect', { transaction_id: await testEnv.transactionOf(actionId) });
  expect(await testEnv.wallet(ASA)).toMatchObject({ coins: '4900.00', reserved: '250.00' });
});

test('a reading of its transfer makes a waiting start due, and one that is due soon stays as it is', async () => {
  const actionId = await testEnv.transferApproved();
  await testEnv.start(actionId);
  const dueIn_s = async (): Promise<number> => {
    const { rows } = await testEnv.pool.query(
      `select extract(epoch from next_look_at - clock_now())::int as seconds from desk_action where action_id = $1`,
      [actionId],
    );
    return rows[0].seconds;
  };
  const lookIn = async (wait: string): Promise<unknown> =>
    await testEnv.pool.query(`update desk_action set next_look_at = clock_now() + $2::interval where action_id = $1`, [actionId, wait]);
  await lookIn('1 hour');
  await readTransferDetail(testEnv.context, await testEnv.transactionOf(actionId));
  expect(await dueIn_s()).toBeLessThanOrEqual(0);
  await lookIn('80 seconds');
  await readTransferDetail(testEnv.context, await testEnv.transactionOf(actionId));
  expect(await dueIn_s()).toBeGreaterThan(0);
});

test('A8: an approval that may have moved the coins is settled by its status and never sent again', proof, async () => {
  const actionId = await testEnv.transferApprovedOnPhone();
  await testEnv.fail('approve_failed_moved', 'transfer-approve');
  expect(await testEnv.move(actionId)).toMatchObject({ ok: true, passes: null });
  expect(await testEnv.findStep(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading', last_error_code: null });
  await testEnv.makeDue();
  await testEnv.settle();
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('transfer-approve')]).toEqual(['done', 1]);
});

test.each(['code', 'error_code', 'error'])(
  'A8: a 202 whose code is in %s moved nothing, and the same approval is used once more',
  proof,
  async (codeIn) => {
    const actionId = await testEnv.transferApprovedOnPhone();
    await testEnv.fail('approve_202_in', 'transfer-approve', { codeIn });
    await testEnv.move(actionId);
    expect([(await testEnv.findStep(actionId))?.state, await testEnv.stateOf(actionId)]).toEqual(['refused', 'with_player']);
    expect(await testEnv.move(actionId)).toMatchObject({ ok: true, passes: { what: 'claim_code' } });
    expect([await testEnv.stateOf(actionId), await testEnv.callCount('transfer-approve')]).toEqual(['done', 2]);
  },
);

test('A10: a guardian’s refusal of an approval ends its start at once', proof, async () => {
  const actionId = await testEnv.transferApprovedOnPhone();
  await testEnv.fail('refuse', 'transfer-approve', { status: 410, code: 'GUARDIAN_APPROVAL_REJECTED' });
  expect(await testEnv.move(actionId)).toMatchObject({ ok: true, passes: null });
  expect([(await testEnv.findStep(actionId))?.state, await testEnv.stateOf(actionId)]).toEqual(['refused', 'not_done']);
  expect(await testEnv.move(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await testEnv.callCount('transfer-approve')).toBe(1);
});

test('A8: an approval whose answer was lost is done by the status, without a code', proof, async () => {
  const actionId = await testEnv.transferApprovedOnPhone();
  await testEnv.fail('approve_reset_moved', 'transfer-approve');
  expect(await testEnv.move(actionId)).toMatchObject({ ok: true, passes: null });
  expect([(await testEnv.findStep(actionId))?.state, await testEnv.stateOf(actionId), await testEnv.callCount('transfer-approve')]).toEqual(
    ['done', 'done', 1],
  );
});

test('a transfer that nobody approved ends by its status after the window, and one approved elsewhere is done', proof, async () => {
  const endWindow = async (actionId: number): Promise<void> => {
    await testEnv.pool.query(`alter table desk_action disable trigger desk_action_kept;
      update desk_action set waits_until = clock_now() - interval '16 minutes' where action_id = ${actionId};
      alter table desk_action enable trigger desk_action_kept`);
    await testEnv.makeDue();
    await testEnv.settle();
  };
  const open = await testEnv.transferApproved();
  await testEnv.start(open);
  // Invo still reports that it waits: it is read again.
  await endWindow(open);
  expect(await testEnv.stateOf(open)).toBe('with_player');
  const { now } = await testEnv.control('GET', 'clock');
  await testEnv.control('POST', 'clock', { now: new Date(Date.parse(String(now)) + 11 * 60_000).toISOString() });
  await endWindow(open);
  expect(await testEnv.stateOf(open)).toBe('lapsed');
  await testEnv.control('POST', 'clock', { now });

  const elsewhere = await testEnv.transferApproved({ amount: '50.00' });
  await testEnv.start(elsewhere);
  await testEnv.control('POST', 'faults', [
    { kind: 'put', match: { route: 'transfer-status' }, puts: { transaction_status: 'pending_claim', verification_state: 'approved' } },
  ]);
  await endWindow(elsewhere);
  expect(await testEnv.find(elsewhere)).toMatchObject({ state: 'done', outcomeSource: 'reading' });
});

test('bad input gets a sentence, and nothing is sent', async () => {
  expect(await testEnv.requestTransfer({ phone: '+4915112345679' })).toEqual({ ok: false, reason: 'blocked', blocker: 'no_destination' });
  // A player's own game is no destination.
  expect(await testEnv.requestTransfer({ gameId: '41207' })).toEqual({ ok: false, reason: 'blocked', blocker: 'no_destination' });
  expect(await testEnv.requestTransfer({ amount: '6000.00' })).toEqual({ ok: false, reason: 'blocked', blocker: 'not_covered' });
  expect(await testEnv.requestTransfer({ amount: '0.00' })).toEqual({ ok: false, reason: 'not_a_request' });
  const actionId = await testEnv.transferApproved();
  expect(await testEnv.start(actionId, '+4915112345679')).toEqual({ ok: false, reason: 'other_entry' });
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('initiate-transfer')]).toEqual(['approved', 0]);
});

test('A15: a request without a ticket begins no grant', async () => {
  const actionId = await testEnv.transferApproved();
  await testEnv.start(actionId);
  await testEnv.pool.query(`alter table desk_action disable trigger desk_action_kept;
    update desk_action set ticket = null where action_id = ${actionId}; alter table desk_action enable trigger desk_action_kept`);
  expect(await askPhone(testEnv.context, testEnv.people.sam, actionId, HOLDER)).toEqual({ ok: false, reason: 'no_ticket' });
  expect(await testEnv.callCount('device-begin')).toBe(0);
});

test('an answer that comes after its silence was recorded still names what Invo made', proof, async () => {
  const actionId = await testEnv.transferApproved({ amount: '40.00' });
  const ports = openActionPorts(testEnv.context, HOLDER, testEnv.people.sam);
  const job = await ports.store.find(actionId);
  if (job === null) throw new Error(`no desk action ${actionId}`);
  expect(await ports.store.begin(job, testEnv.people.sam)).toEqual({ attempt_no: 1 });
  const sending = await ports.store.find(actionId);
  if (sending === null) throw new Error(`no desk action ${actionId}`);
  expect(await recordAnswer(ports, sending, 1, NO_ANSWER)).toMatchObject({ state: 'checking' });
  const json = { status: 'success', transaction_id: 'TRF_LATE', verification_expires_at: '2026-11-21T12:10:00Z' };
  const late = { ...NO_ANSWER, phase: 'answered' as const, status: 201, transportError: null, json };
  expect(await recordAnswer(ports, { ...job, attempt_count: 1 }, 1, late)).toMatchObject({ state: 'with_player' });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'with_player', result: { transaction_id: 'TRF_LATE' } });
});

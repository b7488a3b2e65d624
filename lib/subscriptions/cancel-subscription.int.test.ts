import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CancelForm, cancelSubscription } from './cancel-subscription.ts';
import { readChangeFacts } from './read-change-facts.ts';
import { type ChangeEnvironment, MIRA, NORA, OWEN, openChangeEnvironment, PAVEL, SAMI, VIK } from './testing/change-environment.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const PAID_THROUGH = '2027-12-05T10:00:00.000Z';

let ground: ChangeEnvironment;
beforeAll(async () => {
  ground = await openChangeEnvironment();
});
afterAll(() => ground.close());
beforeEach(() => ground.startOver());

async function formOf(subscriptionId: string, changed: Partial<CancelForm> = {}): Promise<CancelForm> {
  const baseline = await ground.baselineOf(subscriptionId);
  await ground.forgetCalls();
  return { subscriptionId, baseline, when: 'period_end', reason: null, ...changed };
}

async function cancel(subscriptionId: string, changed: Partial<CancelForm> = {}) {
  return await cancelSubscription(ground.desk, SAMI, await formOf(subscriptionId, changed), { read_ms: 60_000, send_ms: 200_000 });
}

describe('a cancel', () => {
  test('at the end of what is paid is made as it was foreseen', async () => {
    const canceled = await cancel(MIRA, { reason: '  Too dear.  ' });
    expect(canceled).toMatchObject({
      kind: 'done',
      isRecorded: true,
      answer: { cancel_at_period_end: true, access_until: PAID_THROUGH, subscription: { status: 'active', cancel_at_period_end: true } },
    });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
    expect(await ground.sent()).toEqual(['cancel']);
    expect(await readChangeFacts(ground.desk, MIRA, { limit_ms: 60_000 })).toMatchObject({
      subscription: { cancel_at_period_end: true, metadata: { _invo_cancellation: { reason: 'Too dear.' } } },
    });
  });

  test('now ends it now, and access when what is paid ends', async () => {
    const canceled = await cancel(MIRA, { when: 'now' });
    expect(canceled).toMatchObject({ kind: 'done', answer: { access_until: PAID_THROUGH, effective_at: NOW } });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test.each([
    ['nothing was paid', NORA, null],
    ['what was paid has run out', OWEN, '2026-10-18T08:00:00.000Z'],
  ])('at the end of what is paid ends at once where %s, and the receipt says that this was foreseen', async (_, id, paid_through) => {
    const canceled = await cancel(id);
    expect(canceled).toMatchObject({
      kind: 'done',
      answer: { terminated_immediately: true, downgrade_reason: 'NO_PAID_PERIOD', access_until: NOW, paid_through },
    });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test('of what has ended is told with how, and nothing is sent', async () => {
    expect(await cancel(PAVEL)).toMatchObject({ kind: 'already_ended', finalStatus: 'canceled' });
    expect(await ground.sent()).toEqual([]);
  });

  test('that comes after another one is told as ended, as Invo tells it', async () => {
    const form = await formOf(MIRA);
    await ground.fault('hold', 'cancel');
    const late = cancelSubscription(ground.desk, SAMI, form, { read_ms: 60_000, send_ms: 200_000 });
    await expect.poll(() => ground.heldCount()).toBe(1);
    const other = await fetch(`${ground.upstream.url}/api/subscriptions/${MIRA}/cancel`, {
      method: 'POST',
      headers: { 'x-game-secret-key': ground.config.gameSecret, 'content-type': 'application/json' },
      body: JSON.stringify({ at_period_end: false }),
    });
    expect(other.status).toBe(200);
    await ground.release();
    expect(await late).toEqual({ kind: 'already_ended', finalStatus: 'canceled', accessUntil: PAID_THROUGH });
  });

  test('of a store subscription tells what became of the agreement', async () => {
    expect(await cancel(VIK)).toMatchObject({ answer: { pcstore_agreement_status: 'canceled', pcstore_agreement_canceled: true } });
  });
});

describe('the audit', () => {
  test('has a line before the first byte and one with what became of it, without addresses and numbers of cards', async () => {
    await cancel(MIRA, { reason: 'mira.holt@players.example lost 4242 4242 4242 4242' });
    const lines = await ground.readAudit();
    expect(lines).toMatchObject([
      {
        actor: SAMI.email,
        act: 'asked to cancel a subscription',
        subject: `subscription ${MIRA}`,
        detail: {
          at_period_end: true,
          reason: 'm•••@p•••.example lost •••• 4242',
          forecast: { kind: 'at_paid_through', accessUntil: PAID_THROUGH },
        },
      },
      {
        act: 'was told what became of: cancel a subscription',
        detail: { outcome: 'done', access_until: PAID_THROUGH, cancel_at_period_end: true, subscription_status: 'active' },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/players\.example|4242 4242/);
  });

  test('keeps a reason with letters no record can hold, and Invo is told the same', async () => {
    expect(await cancel(MIRA, { reason: 'too\u0000dear\ud800\r\nand late' })).toMatchObject({ kind: 'done' });
    const reason = 'too\ufffddear\ufffd\nand late';
    expect((await ground.readAudit())[0]?.detail).toMatchObject({ reason });
    expect(await readChangeFacts(ground.desk, MIRA, { limit_ms: 60_000 })).toMatchObject({
      subscription: { metadata: { _invo_cancellation: { reason } } },
    });
  });

  test('that cannot be written keeps the cancel from being sent', async () => {
    await ground.pool.query('alter table audit add constraint shut check (false) not valid');
    await expect(cancel(MIRA)).rejects.toThrow(/shut/);
    await ground.pool.query('alter table audit drop constraint shut');
    expect(await ground.sent()).toEqual([]);
  });

  test('that cannot be written afterwards hides nothing from who waits', async () => {
    await ground.pool.query(`alter table audit add constraint shut check (act not like 'was told%') not valid`);
    expect(await cancel(MIRA)).toMatchObject({ kind: 'done', isRecorded: false });
    await ground.pool.query('alter table audit drop constraint shut');
  });
});

describe('nothing is sent', () => {
  test('by a role that may not', async () => {
    const form = await formOf(MIRA);
    expect(await cancelSubscription(ground.desk, { ...SAMI, role: 'auditor' }, form)).toEqual({ kind: 'not_allowed' });
    expect(await ground.calls()).toEqual([]);
  });

  test('when the subscription is not what the form showed', async () => {
    const form = await formOf(MIRA);
    await cancel(MIRA);
    expect(await cancelSubscription(ground.desk, SAMI, form)).toMatchObject({ kind: 'changed' });
    expect(await ground.sent()).toEqual(['cancel']);
  });

  test('with a reason longer than Invo keeps', async () => {
    expect(await cancel(MIRA, { reason: 'r'.repeat(501) })).toEqual({ kind: 'reason_too_long' });
    expect(await cancel(MIRA, { reason: 'r'.repeat(500) })).toMatchObject({ kind: 'done' });
  });

  test.each([
    ['cannot be asked', '500', { kind: 'no_answer', sentence: expect.stringContaining('Invo failed on its side') }],
    ['does not know it', '404', { kind: 'not_found' }],
  ])('when Invo %s', async (_, kind, outcome) => {
    const form = await formOf(MIRA);
    await ground.fault(kind, 'subscription', { times: 9 });
    expect(await cancelSubscription(ground.desk, SAMI, form)).toMatchObject(outcome);
    expect(await ground.sent()).toEqual([]);
    expect(await ground.readAudit()).toEqual([]);
  });
});

test('a maintenance pause of changes holds up no cancel', async () => {
  await ground.fault('paused', 'amount', { times: 9 });
  await ground.fault('paused', 'payment-method', { times: 9 });
  expect(await cancel(MIRA)).toMatchObject({ kind: 'done' });
});

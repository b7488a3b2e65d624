import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChangeEnvironment,
  MIRA,
  NORA,
  OWEN,
  openChangeEnvironment,
  PAVEL,
  SAMI,
  VIK,
} from '#e2e/support/subscriptions/change-environment.ts';
import { type CancelForm, cancelSubscription } from './change-subscription.ts';
import { readChangeFacts } from './read-change-facts.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const PAID_THROUGH = '2027-12-05T10:00:00.000Z';

let environment: ChangeEnvironment;
beforeAll(async () => {
  environment = await openChangeEnvironment();
});
afterAll(() => environment.close());
beforeEach(() => environment.startOver());

async function formOf(subscriptionId: string, changed: Partial<CancelForm> = {}): Promise<CancelForm> {
  const baseline = await environment.baselineOf(subscriptionId);
  await environment.forgetCalls();
  return { subscriptionId, baseline, when: 'period_end', reason: null, ...changed };
}

async function cancel(subscriptionId: string, changed: Partial<CancelForm> = {}) {
  return await cancelSubscription(environment.context, SAMI, await formOf(subscriptionId, changed), { read_ms: 60_000, send_ms: 200_000 });
}

describe('a cancellation', () => {
  test('at the end of the paid period has the previewed result', async () => {
    const canceled = await cancel(MIRA, { reason: '  Too expensive.  ' });
    expect(canceled).toMatchObject({
      kind: 'done',
      isRecorded: true,
      answer: { cancel_at_period_end: true, access_until: PAID_THROUGH, subscription: { status: 'active', cancel_at_period_end: true } },
    });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
    expect(await environment.sent()).toEqual(['cancel']);
    expect(await readChangeFacts(environment.context, MIRA, { limit_ms: 60_000 })).toMatchObject({
      subscription: { cancel_at_period_end: true, metadata: { _invo_cancellation: { reason: 'Too expensive.' } } },
    });
  });

  test('ends the subscription now, and access with the paid period', async () => {
    const canceled = await cancel(MIRA, { when: 'now' });
    expect(canceled).toMatchObject({ kind: 'done', answer: { access_until: PAID_THROUGH, effective_at: NOW } });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test.each([
    ['nothing is paid', NORA, null],
    ['the paid period is over', OWEN, '2026-10-18T08:00:00.000Z'],
  ])('at the end of the paid period ends immediately when %s, as previewed', async (_, id, paid_through) => {
    const canceled = await cancel(id);
    expect(canceled).toMatchObject({
      kind: 'done',
      answer: { terminated_immediately: true, downgrade_reason: 'NO_PAID_PERIOD', access_until: NOW, paid_through },
    });
    expect('receipt' in canceled && canceled.receipt.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true]);
  });

  test('of an ended subscription returns how it ended, and nothing is sent', async () => {
    expect(await cancel(PAVEL)).toMatchObject({ kind: 'already_ended', finalStatus: 'canceled' });
    expect(await environment.sent()).toEqual([]);
  });

  test('that arrives after another one returns how the subscription ended', async () => {
    const form = await formOf(MIRA);
    await environment.fault('hold', 'cancel');
    const late = cancelSubscription(environment.context, SAMI, form, { read_ms: 60_000, send_ms: 200_000 });
    await expect.poll(() => environment.heldCount()).toBe(1);
    const other = await fetch(`${environment.upstream.url}/api/subscriptions/${MIRA}/cancel`, {
      method: 'POST',
      headers: { 'x-game-secret-key': environment.config.gameSecret, 'content-type': 'application/json' },
      body: JSON.stringify({ at_period_end: false }),
    });
    expect(other.status).toBe(200);
    await environment.release();
    expect(await late).toEqual({ kind: 'already_ended', finalStatus: 'canceled', accessUntil: PAID_THROUGH });
  });

  test('of a store subscription returns the status of the agreement', async () => {
    expect(await cancel(VIK)).toMatchObject({ answer: { pcstore_agreement_status: 'canceled', pcstore_agreement_canceled: true } });
  });
});

describe('the audit log', () => {
  test('has an entry before the first byte and one with the outcome, without emails and card numbers', async () => {
    await cancel(MIRA, { reason: 'mira.holt@players.example lost 4242 4242 4242 4242' });
    const lines = await environment.readAudit();
    expect(lines).toMatchObject([
      {
        actor: SAMI.email,
        act: 'requested a cancellation',
        subject: `subscription ${MIRA}`,
        detail: {
          at_period_end: true,
          reason: 'm•••@p•••.example lost •••• 4242',
          preview: { kind: 'at_paid_through', accessUntil: PAID_THROUGH },
        },
      },
      {
        act: 'recorded the outcome of a cancellation',
        detail: { outcome: 'done', access_until: PAID_THROUGH, cancel_at_period_end: true, subscription_status: 'active' },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/players\.example|4242 4242/);
  });

  test('stores a reason with characters that can’t be stored replaced, and Invo gets the same text', async () => {
    expect(await cancel(MIRA, { reason: 'too\u0000much\ud800\r\nand late' })).toMatchObject({ kind: 'done' });
    const reason = 'too\ufffdmuch\ufffd\nand late';
    expect((await environment.readAudit())[0]?.detail).toMatchObject({ reason });
    expect(await readChangeFacts(environment.context, MIRA, { limit_ms: 60_000 })).toMatchObject({
      subscription: { metadata: { _invo_cancellation: { reason } } },
    });
  });

  test('stops the cancellation when its first entry can’t be written', async () => {
    await environment.pool.query('alter table audit add constraint shut check (false) not valid');
    await expect(cancel(MIRA)).rejects.toThrow(/shut/);
    await environment.pool.query('alter table audit drop constraint shut');
    expect(await environment.sent()).toEqual([]);
  });

  test('hides no outcome when its second entry can’t be written', async () => {
    await environment.pool.query(`alter table audit add constraint shut check (act not like 'recorded%') not valid`);
    expect(await cancel(MIRA)).toMatchObject({ kind: 'done', isRecorded: false });
    await environment.pool.query('alter table audit drop constraint shut');
  });
});

describe('nothing is sent', () => {
  test('by a role without the permission', async () => {
    const form = await formOf(MIRA);
    expect(await cancelSubscription(environment.context, { ...SAMI, roles: ['auditor'] }, form)).toEqual({ kind: 'not_allowed' });
    expect(await environment.calls()).toEqual([]);
  });

  test('when the subscription differs from what the form showed', async () => {
    const form = await formOf(MIRA);
    await cancel(MIRA);
    expect(await cancelSubscription(environment.context, SAMI, form)).toMatchObject({ kind: 'changed' });
    expect(await environment.sent()).toEqual(['cancel']);
  });

  test('with a reason longer than Invo stores', async () => {
    expect(await cancel(MIRA, { reason: 'r'.repeat(501) })).toEqual({ kind: 'reason_too_long' });
    expect(await cancel(MIRA, { reason: 'r'.repeat(500) })).toMatchObject({ kind: 'done' });
  });

  test.each([
    ['can’t be reached', '500', { kind: 'no_answer', sentence: expect.stringContaining('Invo failed on its side') }],
    ['doesn’t know the subscription', '404', { kind: 'not_found' }],
  ])('when Invo %s', async (_, kind, outcome) => {
    const form = await formOf(MIRA);
    await environment.fault(kind, 'subscription', { times: 9 });
    expect(await cancelSubscription(environment.context, SAMI, form)).toMatchObject(outcome);
    expect(await environment.sent()).toEqual([]);
    expect(await environment.readAudit()).toEqual([]);
  });
});

test('a maintenance pause of changes doesn’t stop a cancellation', async () => {
  await environment.fault('paused', 'amount', { times: 9 });
  await environment.fault('paused', 'payment-method', { times: 9 });
  expect(await cancel(MIRA)).toMatchObject({ kind: 'done' });
});

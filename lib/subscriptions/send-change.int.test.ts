import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { type ChangeEnvironment, MIRA, openChangeEnvironment, SAMI } from '#e2e/support/subscriptions/change-environment.ts';
import { cancelSubscription, changePrice } from './change-subscription.ts';
import { readChangeFacts } from './read-change-facts.ts';
import { verifyChange } from './rules/changes.ts';

let environment: ChangeEnvironment;
beforeAll(async () => {
  environment = await openChangeEnvironment();
});
afterAll(() => environment.close());
beforeEach(() => environment.startOver());

async function price(send_ms = 200_000) {
  const baseline = await environment.baselineOf(MIRA);
  const form = { subscriptionId: MIRA, baseline, amountText: '70.00', isNeverConfirmed: false };
  return await changePrice(environment.context, SAMI, form, { read_ms: 60_000, send_ms });
}

async function verdict() {
  const read = await readChangeFacts(environment.context, MIRA, { limit_ms: 60_000 });
  if (read.kind !== 'read') throw new Error(read.kind);
  return verifyChange({ what: 'price', amount_usd: '70.00', isClearing: false }, read.subscription);
}

describe('a change without a complete answer', () => {
  test.each(
    proofCases(4, [
      ['drop_before', 'not_there'],
      ['drop_after', 'there'],
      ['reset', 'not_there'],
      ['torn_after', 'there'],
      ['torn', 'there'],
      ['html', 'not_there'],
      ['html_after', 'there'],
      ['stall', 'there'],
      ['500', 'not_there'],
      ['502', 'not_there'],
      ['503', 'not_there'],
      ['paused', 'not_there'],
      ['service_unavailable', 'not_there'],
      ['internal_error', 'not_there'],
      ['unknown_code', 'not_there'],
      ['two_codes', 'not_there'],
    ]),
  )('after %s is unknown, is not sent again automatically, and a new reading finds it %s', async (kind, seen) => {
    await environment.fault(kind, 'amount');
    await environment.forgetCalls();
    const outcome = await price(kind === 'stall' ? 5_000 : undefined);
    expect(outcome).toMatchObject({ kind: 'unknown', isRecorded: true });
    expect('sentence' in outcome && outcome.sentence).toMatch(/[Rr]ead the subscription/);
    expect(await environment.sent()).toEqual(['amount']);
    expect(await verdict()).toBe(seen);
    expect((await environment.readAudit()).map(({ detail }) => detail['outcome'])).toEqual([undefined, 'unknown']);
  });

  test('can be requested again with the effect of once', async () => {
    await environment.fault('drop_after', 'amount');
    expect((await price()).kind).toBe('unknown');
    expect(await price()).toMatchObject({ kind: 'done', answer: { pending_amount_usd: '70.00' } });
    expect(await verdict()).toBe('there');
  });

  test('of which no byte was sent is not_sent', async () => {
    const baseline = await environment.baselineOf(MIRA);
    const form = { subscriptionId: MIRA, baseline, when: 'now' as const, reason: null };
    expect(await cancelSubscription(environment.context, SAMI, form, { send_ms: 0 })).toMatchObject({ kind: 'not_sent' });
    expect((await environment.readAudit()).at(-1)?.detail).toMatchObject({ outcome: 'not_sent', phase: 'not_sent' });
  });

  test('during a pause says that Invo paused changes', async () => {
    await environment.fault('paused', 'amount');
    expect(await price()).toMatchObject({ sentence: expect.stringContaining('Invo has paused changes of price and card') });
  });
});

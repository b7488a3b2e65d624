import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { createUpstream, type Upstream } from '#e2e/upstream/server.ts';
import type { Invo } from '../invo.ts';
import { openInvo } from '../open-invo.ts';
import { readPeriodReport } from './period-report.ts';
import { sendRefund } from './send-refund.ts';
import { sendCancellation } from './subscription-changes.ts';
import { readSubscriptionReport } from './subscription-report.ts';
import { readBalancesOfPlayer, readSubscription } from './support-reads.ts';

const MIRA = 'SUB_1733392800_DESKMIRA';
const VIK = 'SUB_1638957600_DESKVIK1';
const NORA = 'SUB_1794920400_DESKNORA';
let upstream: Upstream;
let invo: Invo;

beforeAll(async () => {
  upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', secret: 'canary-current' });
});
beforeEach(() => {
  upstream.reset();
  const access = { baseUrl: upstream.url, secret: 'canary-current', environment: 'production' } as const;
  invo = openInvo({ ...patientSettings(upstream.url, newDiary(), { tries: 1 }), access });
});
afterAll(() => upstream.close());

async function arm(kind: string, route: string, more: object = {}): Promise<void> {
  const body = JSON.stringify({ kind, match: { route }, ...more });
  const answer = await fetch(`${upstream.controlUrl}/faults`, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
}

const refund = (subscriptionId: string, period_seq: number) =>
  sendRefund(invo, { subscriptionId, body: Buffer.from(JSON.stringify({ client_request_id: 'k-1', period_seq, amount_usd: '1.00' })) });

describe('rare answers that the contract allows', () => {
  it.each([
    ['without an id', { player_name: 'Mira', player_email: 'mira.holt@players.example' }, 910_001],
    ['with an id that is text', { player_id: '910001' }, 910_001],
    ['that is empty', {}, 910_001],
    ['that is text', 'Mira', undefined],
    ['that is null', null, undefined],
  ])('a subscription with a player block %s is readable', async (_, block, playerId) => {
    await arm('put', 'subscription', { puts: { 'subscription.player': block } });
    const { value } = await readSubscription(invo, MIRA);
    expect(value.subscription).toMatchObject({ subscription_id: MIRA, player_id: 910_001, amount_usd: '60.00' });
    expect(value.player?.player_id).toBe(playerId);
  });
  it('a subscription without a player block has no player', async () => {
    await arm('missing_field', 'subscription', { path: 'subscription.player' });
    expect((await readSubscription(invo, MIRA)).value).toMatchObject({ subscription: { subscription_id: MIRA }, player: null });
  });
  it('a wallet with two currencies, or none, is read', async () => {
    const two = (await readBalancesOfPlayer(invo, 'juno.marl@players.example')).value.balances;
    expect(two.map(({ currency_name, available_balance }) => [currency_name, available_balance])).toEqual([
      ['Lumens', '1200.00'],
      ['Embers', '-45.50'],
    ]);
    expect((await readBalancesOfPlayer(invo, 'ilse.brand@players.example')).value.balances).toEqual([]);
  });
  it('a cycle whose revenue is not reported hides neither its page nor its list', async () => {
    const out = {
      paid_at: '2026-10-01T05:10:00.000Z',
      amount_usd: '12.00',
      invo_fee_usd: null,
      partner_revenue_usd: null,
      attribution: null,
    };
    const { period, fee_legs } = (await readPeriodReport(invo, 2026100009)).value;
    expect(period).toMatchObject({ ...out, attribution_unavailable_reason: 'spend_order_not_found' });
    expect(fee_legs).toMatchObject({ invo_fee_usd: null, partner_revenue_after_fees_usd: null, chargeback_fees_usd: '0.00' });
    const { periods } = (await readSubscriptionReport(invo, 'SUB_1767225600_WITN09AL', { limit: 100 })).value;
    expect(periods).toContainEqual(expect.objectContaining(out));
  });
  it('a refusal with two codes uses the public one and reports the other', async () => {
    await arm('two_codes', 'refund');
    expect(await refund(MIRA, 1)).toMatchObject({
      phase: 'answered',
      status: 502,
      errorCode: 'PROCESSOR_ERROR',
      facts: { error_code: 'REFUND_LOOKUP_FAILED' },
    });
  });
  it('a refund of a subscription that never collected anything is refused for that reason', async () => {
    expect(await refund(NORA, 1)).toMatchObject({ phase: 'answered', status: 409, errorCode: 'NO_PAID_PERIOD', facts: {} });
  });
  it('a cancellation leaves the store agreement to end later', async () => {
    await arm('put', 'cancel', { puts: { pcstore_agreement_status: 'active', pcstore_agreement_canceled: false } });
    expect(await sendCancellation(invo, VIK, { at_period_end: true })).toMatchObject({
      kind: 'done',
      value: { pcstore_agreement_status: 'active', pcstore_agreement_canceled: false, cancel_at_period_end: true },
    });
  });
  it('a cancellation without a result is unknown, although it was made', async () => {
    await arm('refuse', 'cancel', { status: 200, when: 'after', code: null, facts: { status: 'pending' } });
    expect(await sendCancellation(invo, MIRA, { at_period_end: false })).toMatchObject({
      kind: 'unknown',
      unreadable: { path: 'status' },
    });
    expect((await readSubscription(invo, MIRA)).value.subscription.status).toBe('canceled');
  });
});

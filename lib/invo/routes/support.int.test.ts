import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { createUpstream, type Upstream } from '#e2e/upstream/server.ts';
import type { Invo } from '../invo.ts';
import { openInvo } from '../open-invo.ts';
import { type RefundAnswer, sendRefund } from './send-refund.ts';
import { sendAmountChange, sendCancellation, sendCardChange } from './subscription-changes.ts';
import { readBalancesOfPlayer, readCardsOfPlayer, readSubscription, readSubscriptionsOfPlayer } from './support-reads.ts';

const EMAIL = 'mira.holt@players.example';
const PAID = 'SUB_1767225600_WITN01AL';
let upstream: Upstream;
let invo: Invo;

beforeAll(async () => {
  upstream = await createUpstream({ now: '2026-11-21T12:00:00Z', secret: 'canary-current' });
});
beforeEach(() => {
  upstream.reset();
  const access = { baseUrl: upstream.url, secret: 'canary-current', environment: 'production' } as const;
  invo = openInvo({ ...patientSettings(upstream.url, newDiary(), { tries: 3 }), access });
});
afterAll(() => upstream.close());

async function arm(kind: string): Promise<void> {
  const body = JSON.stringify({ kind, match: { route: 'refund' } });
  const answer = await fetch(`${upstream.controlUrl}/faults`, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
}

const refund = (key = 'k-1', amount = '5.00'): Promise<RefundAnswer> =>
  sendRefund(invo, {
    subscriptionId: PAID,
    body: Buffer.from(JSON.stringify({ client_request_id: key, period_seq: 10, amount_usd: amount })),
  });

describe('support’s reads of the simulated Invo', () => {
  it('support reads show a player with wallet, cards and subscriptions, and each subscription with its player', async () => {
    const wallet = await readBalancesOfPlayer(invo, EMAIL);
    expect(wallet.value.player).toMatchObject({ player_id: 910_001, player_email: EMAIL });
    expect(wallet.value.balances[0]?.available_balance).toBe('350.00');
    expect((await readCardsOfPlayer(invo, EMAIL)).value.cards.map((card) => card.last_four).toSorted()).toEqual(['0005', '5454']);
    const page = await readSubscriptionsOfPlayer(invo, { playerEmail: EMAIL, limit: 10 });
    expect(page.value.subscriptions.length).toBeGreaterThan(0);
    for (const { subscription_id } of page.value.subscriptions) {
      const { value } = await readSubscription(invo, subscription_id);
      expect(value).toMatchObject({ subscription: { subscription_id, player_id: 910_001 }, player: { player_email: EMAIL } });
    }
  });
  it('support reads distinguish an unknown player from one without data', async () => {
    await expect(readBalancesOfPlayer(invo, 'nobody@players.example')).rejects.toMatchObject({ code: 'not_found' });
    expect((await readSubscriptionsOfPlayer(invo, { playerEmail: 'nobody@players.example' })).value.subscriptions).toEqual([]);
    expect((await readCardsOfPlayer(invo, 'nobody@players.example')).value.cards).toEqual([]);
    await expect(readSubscription(invo, 'SUB_1_AAAAAAAA')).rejects.toMatchObject({
      code: 'not_found',
      errorCode: 'SUBSCRIPTION_NOT_FOUND',
    });
  });
});

describe('a refund at the simulated Invo', () => {
  it('a refund is executed, and answered as a replay when its key is repeated', async () => {
    expect(await refund()).toMatchObject({
      receipt: { idempotent_replay: false, refunded_amount_usd: '5.00', balance_delta_coins: '50.00' },
    });
    expect(await refund()).toMatchObject({ receipt: { idempotent_replay: true, refunded_amount_usd: '5.00' } });
    expect(await refund('k-2', '16.00')).toMatchObject({
      status: 400,
      errorCode: 'AMOUNT_EXCEEDS_REMAINING',
      facts: { remaining_refundable_usd: '15.00', already_refunded_usd: '5.00' },
    });
  });
  it.each(['drop_before', 'drop_after', 'torn_after', 'html_after', 'redirect', 'delay_after'])(
    'a refund that meets %s is sent once, and its key returns the receipt',
    async (kind) => {
      await arm(kind);
      const first = await refund();
      if (kind !== 'delay_after') expect(first).toMatchObject({ phase: 'sent', receipt: null, reduced: null });
      expect(await refund()).toMatchObject({ phase: 'answered', receipt: { client_request_id: 'k-1' } });
    },
  );
  it('a refund whose receipt was lost is answered with the reduced body, or by a 409 with the transaction', async () => {
    await arm('receipt_lost');
    expect(await refund()).toMatchObject({ phase: 'answered', status: 500, errorCode: 'INTERNAL_ERROR' });
    expect(await refund()).toMatchObject({ status: 200, receipt: null, reduced: { transaction_id: expect.any(String) } });
    upstream.reset();
    await arm('receipt_lost_conflict');
    expect(await refund()).toMatchObject({ phase: 'sent' });
    expect(await refund()).toMatchObject({ phase: 'answered', status: 409, facts: { transaction_id: expect.any(String) } });
  });
});

describe('changes at the simulated Invo', () => {
  it('changes stage a price, replace a card and cancel, and are refused after the end', async () => {
    const { value } = await readSubscriptionsOfPlayer(invo, { playerEmail: EMAIL, status: ['live'] });
    const byCard = value.subscriptions.find(({ funding_rail }) => funding_rail === 'card');
    const id = byCard?.subscription_id ?? '';
    const [card] = (await readCardsOfPlayer(invo, EMAIL)).value.cards;
    expect(await sendAmountChange(invo, id, '1.00')).toMatchObject({
      kind: 'done',
      value: { change_queued: true, pending_amount_usd: '1.00' },
    });
    expect(await sendCardChange(invo, id, { player_card_id: card?.id ?? 0 })).toMatchObject({
      kind: 'done',
      value: { card: { id: card?.id } },
    });
    expect(await sendCardChange(invo, id, { player_card_id: 1 })).toMatchObject({ kind: 'refused', errorCode: 'PAYMENT_METHOD_NOT_FOUND' });
    const ended = await sendCancellation(invo, id, { at_period_end: false, reason: 'asked for' });
    expect(ended).toMatchObject({ kind: 'done', value: { already_canceled: false, access_until: expect.stringMatching(/Z$/) } });
    expect(await sendCancellation(invo, id, { at_period_end: true })).toMatchObject({ value: { already_canceled: true } });
    expect(await sendAmountChange(invo, id, '2.00')).toMatchObject({ kind: 'refused', status: 409, errorCode: 'SUBSCRIPTION_TERMINAL' });
  });
});

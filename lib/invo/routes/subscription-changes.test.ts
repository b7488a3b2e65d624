import { describe, expect, it } from 'vitest';
import { type Answering, afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { withValue } from '#e2e/support/invo/sample-answers.ts';
import { SAMPLE_SUBSCRIPTION, sampleAmountChanged, sampleCanceled, sampleCardChanged } from '#e2e/support/invo/sample-support.ts';
import { type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import type { Invo } from '../invo.ts';
import type { ChangeAnswer } from './subscription-changes.ts';
import { sendAmountChange, sendCancellation, sendCardChange } from './subscription-changes.ts';

const ask = (answer: Answering): Promise<Talk> => talkTo(afterReading(answer));

const PLAIN = { subscription_id: SAMPLE_SUBSCRIPTION, player_id: 9 };

type Change = (invo: Invo) => Promise<ChangeAnswer<unknown>>;
const changes: [string, Change, string, string, () => unknown][] = [
  [
    'cancel',
    (invo) => sendCancellation(invo, SAMPLE_SUBSCRIPTION, { at_period_end: true, reason: 'asked for' }),
    'cancel',
    '{"at_period_end":true,"reason":"asked for"}',
    sampleCanceled,
  ],
  ['a new price', (invo) => sendAmountChange(invo, SAMPLE_SUBSCRIPTION, '15.00'), 'amount', '{"amount_usd":"15.00"}', sampleAmountChanged],
  [
    'a new card',
    (invo) => sendCardChange(invo, SAMPLE_SUBSCRIPTION, { player_card_id: 31, wallet_only: false }),
    'payment-method',
    '{"player_card_id":31,"wallet_only":false}',
    sampleCardChanged,
  ],
];

describe.each(changes)('%s', (name, change, verb, body, sample) => {
  const outcomeOf = async (answer: Answering): Promise<ChangeAnswer<unknown>> => {
    const { invo, server } = await ask(answer);
    const outcome = await change(invo);
    expect(server.seen).toHaveLength(1);
    return outcome;
  };

  it(`${name} is one POST, answered with what Invo did`, async () => {
    const { invo, server, diary } = await ask((_request, response) => sendJson(response, 200, sample()));
    expect(await change(invo)).toMatchObject({ kind: 'done', value: { status: 'success', subscription: { player_id: 9 } } });
    expect(server.seen.map((request) => [request.method, request.url])).toEqual([
      ['POST', `/api/subscriptions/${SAMPLE_SUBSCRIPTION}/${verb}`],
    ]);
    expect(server.bodies.map(String)).toEqual([body]);
    expect(diary).toMatchObject({ takes: 1, sleeps: [] });
    expect(diary.log[0]).toContain(`"route":{"kind":"other","subscriptionId":"${SAMPLE_SUBSCRIPTION}"}`);
  });
  it(`${name} is refused with a code and its figures, and a 429 pauses the budget`, async () => {
    const refusal = { error_code: 'SUBSCRIPTION_TERMINAL', error_id: 'err_8', current_amount_usd: '5.00' };
    expect(await outcomeOf((_request, response) => sendJson(response, 409, refusal))).toMatchObject({
      kind: 'refused',
      status: 409,
      errorCode: 'SUBSCRIPTION_TERMINAL',
      errorId: 'err_8',
      facts: { current_amount_usd: '5.00' },
    });
    const { invo, diary } = await ask((_request, response) => sendJson(response, 429, { error: 'rate_limit_exceeded', retry_after: 9 }));
    expect(await change(invo)).toMatchObject({ kind: 'refused', retryAfterMs: 9_000 });
    expect(diary.blocks).toEqual([1_009_000]);
  });
  it(`${name} is unknown after a 5xx, a broken connection, a redirect or an unreadable answer, and is never retried automatically`, async () => {
    const paused: Answering = (_request, response) => sendJson(response, 503, { error_code: 'FLOW_PAUSED', error_id: 'err_2' });
    expect(await outcomeOf(paused)).toMatchObject({
      kind: 'unknown',
      phase: 'answered',
      transportError: 'upstream_fault',
      status: 503,
      errorCode: 'FLOW_PAUSED',
      errorId: 'err_2',
    });
    const reset: Answering = (request) => request.socket.resetAndDestroy();
    expect(await outcomeOf(reset)).toMatchObject({ kind: 'unknown', phase: 'sent', transportError: 'unreachable', status: null });
    const moved: Answering = (_request, response) => response.writeHead(307, { location: '/x' }).end();
    expect(await outcomeOf(moved)).toMatchObject({ kind: 'unknown', phase: 'sent', transportError: 'redirected', status: 307 });
    const page: Answering = (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
    expect(await outcomeOf(page)).toMatchObject({ kind: 'unknown', phase: 'sent', transportError: 'malformed', status: 404 });
    const other: Answering = (_request, response) =>
      sendJson(response, 200, withValue(withValue(sample(), 'status', 'scheduled'), 'subscription.subscription_id', 'SUB_2'));
    expect(await outcomeOf(other)).toMatchObject({
      kind: 'unknown',
      transportError: 'malformed',
      unreadable: { path: 'subscription.subscription_id' },
      errorCode: null,
    });
    const created: Answering = (_request, response) => sendJson(response, 201, sample());
    expect(await outcomeOf(created)).toMatchObject({ kind: 'unknown', transportError: 'malformed', unreadable: { path: 'status' } });
  });
  it.each([
    {},
    { status: 'success' },
    { status: 'pending' },
    { ok: true },
    { already_canceled: false, cancel_at_period_end: false, terminated_immediately: false },
    { subscription: { subscription_id: SAMPLE_SUBSCRIPTION, player_id: 9, status: 'active' } },
  ])(`${name} is unknown after a 200 that doesn’t say that it was made: %j`, async (reported) => {
    const outcome = await outcomeOf((_request, response) => sendJson(response, 200, reported));
    expect(outcome).toMatchObject({
      kind: 'unknown',
      phase: 'answered',
      transportError: 'malformed',
      status: 200,
      unreadable: { path: expect.stringMatching(/^(body|status)$/) },
    });
  });
  it(`${name} is unknown after a 200 with a code, a failure, or another subscription`, async () => {
    const oddities: [string, object][] = [
      ['error_code', { ...(sample() as object), error_code: 'INTERNAL_ERROR' }],
      ['status', { ...(sample() as object), status: 'failed' }],
      ['subscription.subscription_id', { ...(sample() as object), subscription: { subscription_id: 'SUB_2', player_id: 'p' } }],
    ];
    for (const [path, reported] of oddities)
      expect(await outcomeOf((_request, response) => sendJson(response, 200, reported))).toMatchObject({
        kind: 'unknown',
        unreadable: { path },
      });
  });
  it(`${name} is done without a status, and whatever the fields that decide nothing hold`, async () => {
    const { status: _, ...silent } = sample() as { status: string };
    const odd = { ...silent, current_period_end: '', paid_through: 7, applies_from: 'later', subscription: { ...PLAIN, amount_usd: 20 } };
    expect(await outcomeOf((_request, response) => sendJson(response, 200, odd))).toMatchObject({
      kind: 'done',
      value: { status: null, subscription: null },
    });
  });
  it(`${name} is known as not sent when Invo can’t be reached`, async () => {
    const { invo, server } = await ask(() => {});
    await server.close();
    expect(await change(invo)).toMatchObject({ kind: 'unknown', phase: 'not_sent', transportError: 'unreachable' });
  });
  it(`${name} uses the previous secret after a 401`, async () => {
    const { invo, diary } = await ask((_request, response, nth) =>
      nth === 1 ? sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }) : sendJson(response, 200, sample()),
    );
    expect(await change(invo)).toMatchObject({ kind: 'done' });
    expect(diary.previousUsed).toBe(1);
  });
});

describe('a change', () => {
  const saying = async (body: object): Promise<Invo> => (await ask((_request, response) => sendJson(response, 200, body))).invo;
  it.each([
    { already_canceled: true, final_status: 'canceled' },
    { cancel_at_period_end: true },
    { status: 'success', access_until: '2026-04-02T00:00:00Z', cancel_at_period_end: false },
    { effective_at: '2026-04-02T00:00:00Z' },
    { subscription: { ...PLAIN, cancel_at_period_end: true } },
    { subscription: { ...PLAIN, status: 'canceled' } },
    { status: 'canceled', already_canceled: true },
  ])('a cancellation is done by any fact that says so: %j', async (reported) => {
    const outcome = await sendCancellation(await saying(reported), SAMPLE_SUBSCRIPTION, { at_period_end: true });
    expect(outcome.kind).toBe('done');
  });
  it.each([{ status: 'scheduled', change_queued: true }, { status: 'pending', new_amount_usd: '15.00' }, { change_queued: false }])(
    'a price change is done by any fact that says so: %j',
    async (reported) => {
      expect((await sendAmountChange(await saying(reported), SAMPLE_SUBSCRIPTION, '15.00')).kind).toBe('done');
    },
  );
  it('a price change with an unreadable amount is unknown', async () => {
    const outcome = await sendAmountChange(await saying({ change_queued: true, pending_amount_usd: 15.5 }), SAMPLE_SUBSCRIPTION, '15.50');
    expect(outcome).toMatchObject({ kind: 'unknown', unreadable: { path: 'pending_amount_usd' } });
  });
  it('a card change is done by any fact that says so, and unknown for a card that was not requested', async () => {
    const change = async (reported: object) => sendCardChange(await saying(reported), SAMPLE_SUBSCRIPTION, { player_card_id: 31 });
    expect((await change({ replaced: false })).kind).toBe('done');
    expect((await change({ card: { id: 31 } })).kind).toBe('done');
    expect(await change({ status: 'success', replaced: true, card: { id: 32 } })).toMatchObject({
      kind: 'unknown',
      unreadable: { path: 'card.id' },
    });
  });
  it('a cancellation reports the downgrade and the store agreement, and that it came too late', async () => {
    const downgrade = {
      status: 'success',
      terminated_immediately: true,
      downgrade_reason: 'NO_PAID_PERIOD',
      message: 'Ended now.',
      access_until: '2026-03-09T10:00:00+02:00',
      pcstore_agreement_status: 'canceled',
      pcstore_agreement_canceled: true,
    };
    const { invo } = await ask((_request, response) => sendJson(response, 200, downgrade));
    const outcome = await sendCancellation(invo, SAMPLE_SUBSCRIPTION, { at_period_end: true });
    expect(outcome).toMatchObject({ kind: 'done', value: { ...downgrade, access_until: '2026-03-09T08:00:00Z', already_canceled: null } });
    const late = await ask((_request, response) =>
      sendJson(response, 200, { status: 'success', already_canceled: true, final_status: 'expired' }),
    );
    expect(await sendCancellation(late.invo, SAMPLE_SUBSCRIPTION, { at_period_end: false })).toMatchObject({
      value: { already_canceled: true, final_status: 'expired', subscription: null },
    });
    expect(late.server.bodies.map(String)).toEqual(['{"at_period_end":false}']);
  });
  it('a change is not sent for an amount or an ID no request can carry', async () => {
    const { invo, server } = await ask(() => {});
    await expect(sendAmountChange(invo, SAMPLE_SUBSCRIPTION, '1e3')).rejects.toThrow('plain decimal');
    await expect(sendCancellation(invo, '..', { at_period_end: true })).rejects.toThrow('not a subscription id');
    expect(server.seen).toHaveLength(0);
  });
});

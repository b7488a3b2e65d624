import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Answering, afterReading, sendJson } from '../testing/canned-server.ts';
import { SAMPLE_SUBSCRIPTION, sampleReceipt } from '../testing/sample-support.ts';
import { type Talk, talkTo } from '../testing/talk-to.ts';
import type { RefundAnswer } from './send-refund.ts';

const BODY = Buffer.from('{"client_request_id":"refund-0001", "period_seq":3}\n');
const refund = { subscriptionId: SAMPLE_SUBSCRIPTION, body: BODY };

async function refundAt(answer: Answering): Promise<Omit<Talk, 'client'> & { answer: RefundAnswer }> {
  const { client, ...seen } = await talkTo(afterReading(answer));
  return { answer: await client.sendRefund(refund), ...seen };
}

const saying = async (status: number, body: unknown): Promise<RefundAnswer> =>
  (await refundAt((_request, response) => sendJson(response, status, body))).answer;

describe('the secret of a refund', () => {
  it('falls back to the previous one after a 401, once, with the same bytes', async () => {
    const { answer, server, diary } = await refundAt((_request, response, nth) =>
      nth === 1 ? sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }) : sendJson(response, 200, sampleReceipt()),
    );
    expect(answer).toMatchObject({ status: 200, secret: 'previous' });
    expect(server.bodies).toEqual([BODY, BODY]);
    expect(server.seen.map(({ headers }) => headers['x-game-secret-key'])).toEqual(['canary-current-1f9', 'canary-previous-7c2']);
    expect(diary).toMatchObject({ takes: 2, previousUsed: 1 });
  });
  it('is wrong when both are refused, and is not tried a third time', async () => {
    const { answer, server, diary } = await refundAt((_request, response) =>
      sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }),
    );
    expect(answer).toMatchObject({ phase: 'answered', status: 401, errorCode: 'INVALID_GAME_SECRET', secret: 'previous' });
    expect(server.seen).toHaveLength(2);
    expect(diary.previousUsed).toBe(0);
  });
  it('is not changed after a 401 that is not about the secret, nor learnt from an answer that broke off', async () => {
    const other = await refundAt((_request, response) => sendJson(response, 401, { error_code: 'PROCESSOR_ERROR' }));
    expect(other.server.seen).toHaveLength(1);
    const torn = await refundAt((request, response, nth) =>
      nth === 1 ? sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }) : request.socket.resetAndDestroy(),
    );
    expect(torn.answer).toMatchObject({ phase: 'sent', trouble: 'unreachable', secret: 'previous' });
    expect(torn.diary.previousUsed).toBe(0);
  });
  it.each(['canary-current-1f9', '\\u0063anary-previous-7c2'])(
    'in an answer (%s) takes the bytes away and not the money',
    async (secret) => {
      const text = JSON.stringify({ ...(sampleReceipt() as object), reason: 'SECRET', processor_refund_reference: 'PR_1' }).replace(
        'SECRET',
        secret,
      );
      const { answer, diary } = await refundAt((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      );
      expect(answer).toMatchObject({
        receipt: { refunded_amount_usd: '4.00', reason: null, processor_refund_reference: 'PR_1' },
        evidence: null,
      });
      expect([inspect(answer, { depth: 9 }), ...diary.log].join()).not.toContain('canary');
    },
  );
  it('in a refusal takes away all but a code the contract names', async () => {
    const secret = 'canary-current-1f9';
    const answer = await saying(409, { error_code: 'ALREADY_REFUNDED', note: secret, [secret]: 1, error_id: secret });
    expect(answer).toMatchObject({ errorCode: 'ALREADY_REFUNDED', errorId: null, facts: {}, evidence: null });
    expect((await saying(409, { error_code: 'canary_current_1f9', note: secret })).errorCode).toBeNull();
  });
});

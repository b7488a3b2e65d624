import { describe, expect, test } from 'vitest';
import { type Answered, type Body, type Door, openDoor } from '../test-door.ts';

const REFUND = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';
const BODY = { client_request_id: 'k-1', period_seq: 10, amount_usd: '20.00' };

async function armed(...faults: object[]): Promise<Door> {
  const door = await openDoor();
  expect((await door.control('POST', 'faults', faults)).status).toBe(200);
  return door;
}

async function refund(door: Door): Promise<Answered | null> {
  return door.post(REFUND, BODY).catch(() => null);
}

async function seen(door: Door): Promise<{ executed: number; outcomes: (string | number)[][] }> {
  const { refunds, calls } = (await door.control('GET', 'refunds')).body;
  return {
    executed: refunds.reduce((sum: number, each: Body) => sum + each.executed, 0),
    outcomes: calls.map((call: Body) => [call.outcome, call.status]),
  };
}

describe('the connection is cut', () => {
  test.each([
    ['drop_before', 0, ['not_executed', 0], false],
    ['reset', 0, ['not_executed', 0], false],
    ['drop_after', 1, ['executed', 0], true],
    ['torn_after', 1, ['executed', 200], true],
  ])('%s: executed %i times by then', async (kind, executed, outcome, isReplayed) => {
    const door = await armed({ kind });
    expect(await refund(door)).toBeNull();
    expect(await seen(door)).toEqual({ executed, outcomes: [outcome] });
    expect((await refund(door))?.body).toMatchObject({ idempotent_replay: isReplayed, refunded_amount_usd: '20.00' });
    expect((await seen(door)).executed).toBe(1);
  });

  test('stall sends half an answer and leaves it there', async () => {
    const door = await armed({ kind: 'stall' });
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const waiting = fetch(door.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: AbortSignal.timeout(2_000) });
    await expect(waiting.then((response) => response.text())).rejects.toThrow();
    expect((await seen(door)).executed).toBe(1);
  });
});

describe('the answer is late or another', () => {
  test('delay waits and then executes, although nobody listens any more; delay_after has executed by then', async () => {
    const door = await armed({ kind: 'delay', ms: 3_000 }, { kind: 'delay_after', ms: 3_000 });
    for (const executed of [0, 1]) {
      const impatient = fetch(door.url + REFUND, {
        method: 'POST',
        headers: { 'x-game-secret-key': 'upstream-secret' },
        body: JSON.stringify({ ...BODY, client_request_id: `k-${executed}`, amount_usd: '1.00' }),
        signal: AbortSignal.timeout(1_000),
      });
      await expect(impatient).rejects.toThrow();
      const { refunds } = (await door.control('GET', 'refunds')).body;
      expect(refunds.filter((each: Body) => each.client_request_id === `k-${executed}`)).toHaveLength(executed);
      await expect.poll(async () => (await seen(door)).executed).toBe(executed + 1);
    }
  });

  test.each([
    ['html_after', 1],
    ['html', 0],
  ])('%s: 200 and a page, executed %i times', async (kind, executed) => {
    const door = await armed({ kind });
    const answered = await refund(door);
    expect([answered?.status, answered?.text.slice(0, 9)]).toEqual([200, '<!doctype']);
    expect((await seen(door)).executed).toBe(executed);
  });

  test('redirect points away, before or after', async () => {
    const door = await armed({ kind: 'redirect', status: 307 }, { kind: 'redirect', status: 308, when: 'after' });
    expect([(await refund(door))?.status, (await seen(door)).executed]).toEqual([307, 0]);
    expect([(await refund(door))?.status, (await seen(door)).executed]).toEqual([308, 1]);
  });

  test('duplicate is delivered twice, executed once, and the second answer comes back', async () => {
    const door = await armed({ kind: 'duplicate' });
    expect((await refund(door))?.body).toMatchObject({ idempotent_replay: true, refunded_amount_usd: '20.00' });
    expect(await seen(door)).toEqual({ executed: 1, outcomes: [['replayed', 200]] });
  });

  test('contradiction tells another amount, once; the stored receipt is the true one', async () => {
    const door = await armed({ kind: 'contradiction' }, { kind: 'missing_field', path: 'transaction_id' });
    expect((await refund(door))?.body.refunded_amount_usd).toBe('20.01');
    expect((await refund(door))?.body).not.toHaveProperty('transaction_id');
    expect((await refund(door))?.body.refunded_amount_usd).toBe('20.00');
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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

async function heldBy(door: Door): Promise<number> {
  return (await door.control('GET', 'held')).body.held;
}

async function firstBytes(response: Response): Promise<number> {
  const reader = response.body?.getReader();
  return (await reader?.read())?.value?.length ?? 0;
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
    const patience = new AbortController();
    const response = await fetch(door.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: patience.signal });
    const [half, promised] = [await firstBytes(response), Number(response.headers.get('content-length'))];
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(promised);
    expect((await seen(door)).executed).toBe(1);
    patience.abort();
  });
});

describe('the answer is late or another', () => {
  test('delay waits and then executes; delay_after executes and then waits', async () => {
    const door = await armed({ kind: 'delay', ms: 120 }, { kind: 'delay_after', ms: 120 });
    for (const clientRequestId of ['k-0', 'k-1']) {
      const before = performance.now();
      expect((await door.post(REFUND, { ...BODY, client_request_id: clientRequestId, amount_usd: '1.00' })).status).toBe(200);
      expect(performance.now() - before).toBeGreaterThan(115);
    }
    expect((await seen(door)).executed).toBe(2);
  });

  test.each([
    ['hold', 0],
    ['hold_after', 1],
  ])('%s keeps the answer back until control releases it, executed %i times by then', async (kind, executed) => {
    const door = await armed({ kind });
    const held = refund(door);
    await expect.poll(() => heldBy(door)).toBe(1);
    expect((await seen(door)).executed).toBe(executed);
    expect((await door.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(200);
    expect((await door.control('POST', 'release')).body).toEqual({ released: 1 });
    expect((await held)?.body).toMatchObject({ idempotent_replay: false, refunded_amount_usd: '20.00' });
    expect([(await seen(door)).executed, await heldBy(door)]).toEqual([1, 0]);
  });

  test('a call that was held is carried out although nobody listens any more', async () => {
    const door = await armed({ kind: 'hold' });
    const patience = new AbortController();
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const given = fetch(door.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: patience.signal });
    await expect.poll(() => heldBy(door)).toBe(1);
    patience.abort();
    await expect(given).rejects.toThrow();
    await door.control('POST', 'release');
    await expect.poll(async () => (await seen(door)).executed).toBe(1);
  });

  test.each([
    ['a reset', async (door: Door) => door.reset()],
    ['the end', (door: Door) => door.close()],
  ])('%s cuts what is held and carries none of it out', async (_, end) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'held-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const door = await openDoor({ stateFolder: folder });
    await door.control('POST', 'faults', [{ kind: 'hold', times: 2 }]);
    const held = [refund(door), refund(door)];
    await expect.poll(() => heldBy(door)).toBe(2);
    await end(door);
    expect(await Promise.all(held)).toEqual([null, null]);
    expect((await seen(await openDoor({ stateFolder: folder }))).executed).toBe(0);
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

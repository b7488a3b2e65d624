import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openInvo, REPORT, SECRET, type TestInvo, units } from '../testing/test-client.ts';

const DAY = `${REPORT}?start=2026-10-01&end=2026-10-02`;
const SEPTEMBER = `${REPORT}?start=2026-09-01&end=2026-10-01&limit=100`;

async function armed(...faults: object[]): Promise<TestInvo> {
  const invo = await openInvo();
  expect((await invo.control('POST', 'faults', faults)).status).toBe(200);
  return invo;
}

describe('transport faults', () => {
  test.each([
    ['500', 500, 'INTERNAL_ERROR'],
    ['502', 502, 'INTERNAL_ERROR'],
    ['503', 503, 'service_unavailable'],
    ['401', 401, 'INVALID_GAME_SECRET'],
    ['404', 404, 'SUBSCRIPTION_NOT_FOUND'],
  ])('%s answers %i %s once, then it is over', async (kind, status, code) => {
    const invo = await armed({ kind });
    expect(await invo.ask(DAY)).toMatchObject({ status, body: { error_code: code, error_id: expect.any(String) } });
    expect((await invo.ask(DAY)).status).toBe(200);
  });

  test('403 has no code', async () => {
    const invo = await armed({ kind: '403' });
    const { status, body } = await invo.ask(DAY);
    expect([status, body]).toEqual([403, { error: 'This game is neither live nor testing.', error_id: expect.any(String) }]);
  });

  test('a 400 has the given code and facts, for as many matching calls as given', async () => {
    const invo = await armed({
      kind: '400',
      code: 'WINDOW_TOO_LARGE',
      facts: { settled_renewals: 21_000 },
      times: 2,
      match: { route: 'attribution', query: { start: '2026-10-01' } },
    });
    expect((await invo.ask(SEPTEMBER)).status).toBe(200);
    expect((await invo.ask(DAY)).body).toMatchObject({ error_code: 'WINDOW_TOO_LARGE', settled_renewals: 21_000 });
    expect([(await invo.ask(DAY)).status, (await invo.ask(DAY)).status]).toEqual([400, 200]);
  });

  test('a 429 gives the wait in seconds or as a date', async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const invo = await armed({ kind: '429', retryAfter: 7 }, { kind: '429', retryAfter: date });
    const [first, second] = [await invo.ask(DAY), await invo.ask(DAY)];
    expect([first.headers.get('retry-after'), first.body.retry_after]).toEqual(['7', 7]);
    expect(second.headers.get('retry-after')).toBe(date);
    expect(second.body.retry_after).toBeGreaterThan(0);
  });

  test('reset cuts the connection before an answer, torn in the middle of the body', async () => {
    const invo = await armed({ kind: 'reset' }, { kind: 'torn' });
    await expect(received(invo.url)).rejects.toThrow(/ECONNRESET|hang up/);
    const torn = await received(invo.url);
    expect(torn).toMatchObject({ isComplete: false, isCut: true, status: 200 });
    expect(torn.bytes).toBe(Math.floor(torn.promised / 2));
    expect((await invo.control('GET', 'calls')).body.calls.map((call: { status: number }) => call.status)).toEqual([0, 200]);
  });

  test('stall sends half of the answer and nothing more; slow waits before the headers', async () => {
    const invo = await armed({ kind: 'stall' }, { kind: 'slow', ms: 120 });
    const stalled = await received(invo.url, 'half');
    expect(stalled).toMatchObject({ isComplete: false, isCut: false, status: 200, bytes: Math.floor(stalled.promised / 2) });
    const before = performance.now();
    expect((await invo.ask(DAY)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(115);
  });

  test('html answers 200, redirect points elsewhere', async () => {
    const invo = await armed({ kind: 'html' }, { kind: 'redirect', status: 307, location: 'http://127.0.0.1:9/x' });
    const html = await invo.ask(DAY);
    expect([html.status, html.headers.get('content-type'), html.text.slice(0, 9)]).toEqual([200, 'text/html; charset=utf-8', '<!doctype']);
    const redirect = await invo.ask(DAY);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/x']);
  });

  test('bomb is a small gzip that inflates to many megabytes', async () => {
    const invo = await armed({ kind: 'bomb', megabytes: 20 });
    const { bytes } = await received(invo.url);
    expect(bytes).toBeLessThan(100_000);
    await invo.control('POST', 'faults', [{ kind: 'bomb', megabytes: 20 }]);
    expect((await invo.ask(DAY)).text.length).toBeGreaterThan(20_000_000);
  });
});

describe('body faults', () => {
  test.each([
    ['wrong_game', {}, 'report.game_id', '99999'],
    ['wrong_window', {}, 'report.window.end', '2001-01-01T00:00:00Z'],
    ['totals_cent', {}, 'totals.net_attributed_usd', '25.4854'],
    ['totals_cent', { field: 'settled_gross_usd' }, 'totals.settled_gross_usd', '435.0140'],
    ['unknown_reason', {}, 'totals.unattributed_reasons.settlement_archived', 1],
    ['unknown_reason', {}, 'recipients.0.periods.0.status', 'under_review'],
    ['number_for_string', {}, 'totals.net_attributed_usd', 25.4754],
    ['settled_by_invo_true', { path: 'recipients.0.settled_by_invo' }, 'recipients.0.settled_by_invo', true],
    ['has_more_forever', {}, 'pagination.has_more', true],
    ['nan', {}, 'totals.net_attributed_usd', 'NaN'],
    ['early_generated_at', { ms: 1000 }, 'report.generated_at', '2026-10-01T23:59:59.000Z'],
  ])('%s %j', async (kind, more, path, value) => {
    const invo = await armed({ kind, ...more });
    expect((await invo.ask(DAY)).body).toHaveProperty(path, value);
    expect((await invo.ask(DAY)).body).not.toHaveProperty(path, value);
  });

  test('missing_field removes a field and unknown_fields adds fields', async () => {
    const invo = await armed({ kind: 'missing_field', path: 'recipients.*.periods.*.amount_usd' }, { kind: 'unknown_fields' });
    const { body } = await invo.ask(DAY);
    expect(body.recipients[0].periods[0]).not.toHaveProperty('amount_usd');
    const { body: grown } = await invo.ask(DAY);
    for (const holder of [grown, grown.totals, grown.recipients[0], grown.recipients[0].periods[0]])
      expect(holder).toHaveProperty('x_added_later');
  });

  test('recipient_twice repeats a recipient, lost_line drops a line and big_id writes an unsafe number', async () => {
    const invo = await armed({ kind: 'recipient_twice' }, { kind: 'lost_line' }, { kind: 'big_id' });
    const { body: twice } = await invo.ask(DAY);
    expect(twice.recipients.at(-1).recipient).toEqual(twice.recipients[0].recipient);
    const [first] = (await invo.ask(DAY)).body.recipients;
    expect([first.renewal_count, first.periods.length, units(first.gross_attributed_usd) > 0n]).toEqual([1, 0, true]);
    expect((await invo.ask(DAY)).text).toContain('"period_id":9007199254740993,');
  });

  test('shifted_page repeats one recipient and drops another on the matching page', async () => {
    const invo = await armed({ kind: 'shifted_page', match: { offset: 100 } });
    const first = (await invo.ask(SEPTEMBER)).body;
    const shifted = (await invo.ask(`${SEPTEMBER}&offset=100`)).body;
    const right = (await invo.ask(`${SEPTEMBER}&offset=100`)).body;
    expect(shifted.recipients[0]).toEqual(first.recipients[99]);
    expect(shifted.recipients[1]).toEqual(right.recipients[0]);
    expect(shifted.pagination).toEqual(right.pagination);
  });

  test('a body fault stays armed until a successful answer has the field for it', async () => {
    const invo = await armed({ kind: 'wrong_game' });
    expect((await invo.ask(`${REPORT}?start=x&end=y`)).status).toBe(400);
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(200);
    expect((await invo.ask(DAY)).body.report.game_id).toBe('99999');
    expect((await invo.control('GET', 'faults')).body.faults).toEqual([]);
  });
});

interface Received {
  status: number;
  promised: number;
  bytes: number;
  isComplete: boolean;
  isCut: boolean;
}

/** Reads to the end, or until half of the announced length. */
function received(url: string, until: 'end' | 'half' = 'end'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url + DAY, { headers: { 'x-game-secret-key': SECRET, 'accept-encoding': 'gzip' }, agent: false }, (response) => {
      let bytes = 0;
      const end = (isCut: boolean): void => {
        sent.destroy();
        resolve({
          status: response.statusCode ?? 0,
          promised: Number(response.headers['content-length'] ?? 0),
          bytes,
          isComplete: response.complete,
          isCut,
        });
      };
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (until === 'half' && bytes >= Math.floor(Number(response.headers['content-length']) / 2)) end(false);
      });
      response.on('error', () => undefined);
      response.on('close', () => end(true));
    });
    sent.on('error', reject);
    sent.end();
  });
}

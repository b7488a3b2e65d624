import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { startRawServer } from '#e2e/support/invo/canned-server.ts';
import { failureOf, newDiary, patientSettings, talkTo } from '#e2e/support/invo/talk-to.ts';
import type { Invo, StreamQuestion } from '../invo.ts';
import { openInvo } from '../open-invo.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Opens a stream and reads all of its text. */
async function readAll(invo: Invo, changed: Partial<StreamQuestion> = {}): Promise<string> {
  const { pieces } = await invo.stream({ route: { kind: 'balance' }, path: '/all', ...changed });
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('an answer that is no stream', () => {
  it.each([
    ['a redirect', 302, { location: '/elsewhere' }, '', { code: 'redirected', status: 302 }],
    ['an encoding we did not offer', 200, { ...JSON_TYPE, 'content-encoding': 'br' }, '[]', { path: 'content-encoding' }],
    ['HTML', 200, { 'content-type': 'text/html' }, '<html>', { path: 'content-type' }],
    ['a part of an answer', 206, JSON_TYPE, '[]', { path: 'status' }],
    ['gzip in name only', 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, '[]', { path: 'content-encoding' }],
    ['bad UTF-8', 200, JSON_TYPE, Buffer.from([0x5b, 0xff, 0x5d]), { path: 'body' }],
    ['one that repeats the secret', 200, JSON_TYPE, '["canary-current-1f9"]', { path: 'body' }],
  ])('%s is refused and not requested again', async (_, status, headers, body, expected) => {
    const { invo, server } = await talkTo((_request, response) => response.writeHead(status, headers).end(body));
    expect(await failureOf(readAll(invo))).toMatchObject({ code: 'malformed', isRetryable: false, ...expected });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a stream that does not come whole', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  it.each([
    ['is shorter than announced', `${head}Content-Length: 900\r\n\r\n[1,`],
    ['has no last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n`],
    ['only ends with its connection', `${head}\r\n[1,2]`],
  ])('a stream that %s is torn', async (_, bytes) => {
    const server = await startRawServer(bytes, 'end');
    const invo = openInvo(patientSettings(server.url, newDiary()));
    expect(await failureOf(readAll(invo))).toMatchObject({ code: 'unreachable', facts: { torn: true } });
  });
  it('a compressed stream that stops too early is torn', async () => {
    const packed = gzipSync('[1,2,3]').subarray(0, -4);
    const { invo } = await talkTo((_request, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(packed),
    );
    expect(await failureOf(readAll(invo))).toMatchObject({ code: 'unreachable', facts: { torn: true } });
  });
  it('a stream without a byte for too long is ended with what it waited for', async () => {
    const { invo } = await talkTo((_request, response) => response.writeHead(200, JSON_TYPE).write('['));
    expect(await failureOf(readAll(invo, { limits: { idleMs: 200 } }))).toMatchObject({
      code: 'timeout',
      facts: { deadline: 'the next byte' },
    });
  });
  it('a stream with more bytes than accepted is cut off, received or inflated', async () => {
    const { invo } = await talkTo((_request, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(`[${' '.repeat(10_000)}]`)),
    );
    expect(await failureOf(readAll(invo, { limits: { receivedBytes: 20 } }))).toMatchObject({ code: 'too_large' });
    expect(await failureOf(readAll(invo, { limits: { inflatedBytes: 9_000 } }))).toMatchObject({ code: 'too_large' });
    expect(await readAll(invo)).toHaveLength(10_002);
  });
  it('a stream that its reader stops ends at once, whatever has arrived', async () => {
    const stop = new AbortController();
    const { invo } = await talkTo((_request, response) => {
      response.writeHead(200, JSON_TYPE).write('[1,');
      response.write('2,');
    });
    const { pieces } = await invo.stream({ route: { kind: 'balance' }, path: '/all', signal: stop.signal });
    expect((await pieces.next()).value).toBe('[1,');
    await sleep(100);
    stop.abort();
    expect(await failureOf(pieces.next())).toMatchObject({ code: 'aborted' });
  });
});

test('a stream whose reader takes its time is not late', async () => {
  const parts: ((text: string) => void)[] = [];
  const { invo } = await talkTo((_request, response) => {
    response.writeHead(200, JSON_TYPE).flushHeaders();
    parts.push((text) => void response.write(text));
  });
  const { pieces } = await invo.stream({ route: { kind: 'balance' }, path: '/all', limits: { idleMs: 1_000 } });
  const first = pieces.next();
  parts[0]?.('[1,');
  expect((await first).value).toBe('[1,');
  await sleep(1_300);
  const second = pieces.next();
  parts[0]?.('2]');
  expect((await second).value).toBe('2]');
});

test('a stream refused with a torn answer is known by its status, and the budget waits', async () => {
  const { invo, diary } = await talkTo((_request, response) => {
    response.writeHead(429, { ...JSON_TYPE, 'content-length': 900, 'retry-after': '7' }).write('{');
    setImmediate(() => response.destroy());
  });
  expect(await failureOf(readAll(invo))).toMatchObject({ code: 'rate_limited', status: 429, retryAfterMs: 7_000 });
  expect(diary).toMatchObject({ takes: 1, blocks: [1_007_000], sleeps: [] });
  expect(diary.log.map((line) => JSON.parse(line))).toMatchObject([{ outcome: 'rate_limited', waitMs: null, tries: 1 }]);
});

test('a stream is opened with the other secret once Invo refuses the first', async () => {
  const { invo, diary } = await talkTo((request, response) => {
    const isPrevious = request.headers['x-game-secret-key'] === 'canary-previous-7c2';
    response.writeHead(isPrevious ? 200 : 401, JSON_TYPE).end('[1]');
  });
  expect(await readAll(invo)).toBe('[1]');
  expect(diary).toMatchObject({ takes: 2, previousUsed: 1 });
});

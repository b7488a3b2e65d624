import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Answering,
  afterReading,
  sendJson,
  startCannedServer,
  startRawServer,
  startSocketServer,
} from '#e2e/support/invo/canned-server.ts';
import { SAMPLE_SUBSCRIPTION, sampleReceipt } from '#e2e/support/invo/sample-support.ts';
import { type Diary, newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { openInvo } from '../open-invo.ts';
import { type RefundAnswer, sendRefund } from '../routes/send-refund.ts';
import type { Limits } from '../settings.ts';

const BODY = Buffer.from('{"client_request_id":"refund-0001", "period_seq":3,"amount_usd":"4.00"}');
const JSON_TYPE = { 'content-type': 'application/json' };
const SOUND = Buffer.from(JSON.stringify(sampleReceipt()));

function refundOver(url: string, limits: Partial<Limits> = {}, signal?: AbortSignal, diary: Diary = newDiary()): Promise<RefundAnswer> {
  return sendRefund(openInvo(patientSettings(url, diary, limits)), { subscriptionId: SAMPLE_SUBSCRIPTION, body: BODY }, signal);
}

const answering = async (answer: Answering, limits: Partial<Limits> = {}): Promise<RefundAnswer> => {
  const server = await startCannedServer(answer);
  const outcome = await refundOver(server.url, limits);
  expect(server.seen).toHaveLength(1);
  return outcome;
};

describe('a request that never left', () => {
  const notSent = { phase: 'not_sent', status: null, receipt: null, reduced: null, evidence: null };

  it('a refund is not sent when nothing listens', async () => {
    const server = await startCannedServer(() => {});
    await server.close();
    expect(await refundOver(server.url)).toMatchObject({ ...notSent, transportError: 'unreachable' });
  });
  it.each([
    ['speaks no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'unreachable'],
    ['hangs up during the handshake', '', 'unreachable'],
  ])('a refund is not sent when the other side %s', async (_, bytes, transportError) => {
    const server = await startRawServer(bytes, 'end');
    expect(await refundOver(server.url.replace('http:', 'https:'))).toMatchObject({ ...notSent, transportError });
    expect(Buffer.concat(server.bodies).includes('refund')).toBe(false);
    expect(Buffer.concat(server.bodies).length).toBeGreaterThan(0);
  });
  it('a refund is not sent when the handshake takes too long or the caller stops it', async () => {
    const server = await startSocketServer(() => {});
    const url = server.url.replace('http:', 'https:');
    expect(await refundOver(url, { connectMs: 40 })).toMatchObject({ ...notSent, transportError: 'timeout' });
    const stop = new AbortController();
    void setTimeout(40).then(() => stop.abort());
    expect(await refundOver(url, {}, stop.signal)).toMatchObject({ ...notSent, transportError: 'aborted' });
    expect(Buffer.concat(server.bodies).includes('refund')).toBe(false);
  });
  it('a refund is not sent when the caller stopped before', async () => {
    const server = await startCannedServer(() => {});
    expect(await refundOver(server.url, {}, AbortSignal.abort())).toMatchObject({ ...notSent, transportError: 'aborted' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a request that may have arrived', () => {
  const sent = (transportError: string, status: number | null = null): object => ({
    phase: 'sent',
    transportError,
    status,
    receipt: null,
    reduced: null,
    unreadable: null,
  });

  it('a refund may have arrived when the connection is reset before the request is read', async () => {
    let connections = 0;
    const slam = async (nth: number, socket: Socket): Promise<void> => {
      connections = nth;
      socket.pause();
      await setTimeout(300);
      socket.resetAndDestroy();
    };
    const server = await startSocketServer((socket, nth) => void slam(nth, socket));
    expect(await refundOver(server.url)).toMatchObject(sent('unreachable'));
    expect(connections).toBe(1);
  });
  it('a refund may have arrived when the connection is reset after the request was read', async () => {
    expect(await answering(afterReading((request) => request.socket.resetAndDestroy()))).toMatchObject(sent('unreachable'));
  });
  it('a refund may have arrived when the connection ends without an answer', async () => {
    expect(await answering(afterReading((request) => request.socket.end()))).toMatchObject(sent('unreachable'));
  });
  it('a refund may have arrived when the answer stops in its head, or in its body', async () => {
    const head = await startRawServer('HTTP/1.1 200 OK\r\ncontent-ty', 'end');
    expect(await refundOver(head.url)).toMatchObject(sent('unreachable'));
    const half: Answering = (request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': SOUND.length }).write(SOUND.subarray(0, SOUND.length - 1));
      void setTimeout(20).then(() => request.socket.destroy());
    };
    expect(await answering(half)).toMatchObject(sent('unreachable', 200));
  });
  it('a refund may have arrived when a body without a length stops too early', async () => {
    const cut = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'), SOUND.subarray(0, -1)]);
    const server = await startRawServer(cut, 'end');
    expect(await refundOver(server.url)).toMatchObject(sent('malformed', 200));
  });
  it.each(['never begins', 'drips'])('a refund may have arrived when the answer %s and the time is up', async (manner) => {
    const late: Answering = (_request, response) => {
      if (manner === 'never begins') return;
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect(await answering(late, { writeMs: 4_000, idleMs: 5 })).toMatchObject(sent('timeout'));
  });
  it('a slow answer to a refund is waited for within the time of the whole', async () => {
    const hesitant: Answering = async (_request, response) => {
      await setTimeout(60);
      response.writeHead(200, JSON_TYPE).write(SOUND.subarray(0, 5));
      await setTimeout(60);
      response.end(SOUND.subarray(5));
    };
    const outcome = await answering(hesitant, { firstByteMs: 20, idleMs: 20 });
    expect(outcome).toMatchObject({ phase: 'answered', receipt: { transaction_id: 'TX_R1' } });
  });
  it.each(['while it waits', 'in the middle of the answer'])('a refund may have arrived when the caller stops %s', async (moment) => {
    const stop = new AbortController();
    const server = await startCannedServer((_request, response) => {
      if (moment !== 'while it waits') response.writeHead(200, JSON_TYPE).write('{');
      void setTimeout(20).then(() => stop.abort());
    });
    expect(await refundOver(server.url, {}, stop.signal)).toMatchObject(sent('aborted'));
  });
  it.each([301, 302, 303, 307, 308])(
    'a refund may have arrived when it is redirected (%i), and the redirect is not followed',
    async (status) => {
      const stranger = await startCannedServer((_request, response) => sendJson(response, 200, sampleReceipt()));
      const moved: Answering = (_request, response) => response.writeHead(status, { location: `${stranger.url}/steal` }).end();
      expect(await answering(afterReading(moved))).toMatchObject(sent('redirected', status));
      expect(stranger.seen).toHaveLength(0);
    },
  );
  it.each([
    ['HTML', 200, { 'content-type': 'text/html' }, '<html>', 'malformed'],
    ['a gateway’s own page', 502, { 'content-type': 'text/html' }, '<html>', 'upstream_fault'],
    ['a proxy’s 404', 404, { 'content-type': 'text/html' }, '<html>', 'malformed'],
    ['a proxy’s 401', 401, { 'content-type': 'text/html' }, '<html>', 'malformed'],
    ['a receipt with no content type', 200, {}, SOUND, 'malformed'],
    ['an empty body', 200, JSON_TYPE, '', 'malformed'],
    ['a list', 200, JSON_TYPE, '[]', 'malformed'],
    ['null', 409, JSON_TYPE, 'null', 'malformed'],
    ['bad UTF-8', 200, JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed'],
    ['an encoding nobody offered', 200, { ...JSON_TYPE, 'content-encoding': 'br' }, SOUND, 'malformed'],
    ['gzip in name only', 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, SOUND, 'malformed'],
  ])('a refund may have arrived when the answer is %s (%i)', async (_, status, headers, body, transportError) => {
    const outcome = await answering(afterReading((_request, response) => response.writeHead(status, headers).end(body)));
    expect(outcome).toMatchObject({ ...sent(transportError, status), errorCode: null });
  });
  it('a refund may have arrived when the answer is longer than a receipt can be, gzipped or not, or its head is too long', async () => {
    const long: Answering = (_request, response) => response.writeHead(200, JSON_TYPE).end(Buffer.alloc(1024 * 1024 + 1, ' '));
    expect(await answering(afterReading(long))).toMatchObject(sent('too_large', 200));
    const packed = await gzipOfZeros(64);
    const bomb: Answering = (_request, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(packed);
    expect(await answering(afterReading(bomb))).toMatchObject({ ...sent('too_large', 200), evidence: null });
    const head: Answering = (_request, response) => response.writeHead(200, { ...JSON_TYPE, 'x-long': 'a'.repeat(17_000) }).end(SOUND);
    expect(await answering(afterReading(head))).toMatchObject(sent('too_large'));
  });
  it('a refund may have arrived when the other side changes the protocol or doesn’t speak HTTP', async () => {
    const upgrade = await startRawServer('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'keep');
    expect(await refundOver(upgrade.url)).toMatchObject(sent('malformed', 101));
    const other = await startRawServer('220 mail.example.test ESMTP\r\n', 'keep');
    expect(await refundOver(other.url)).toMatchObject(sent('malformed'));
  });
  it('a whole answer to a refund becomes evidence, also where it isn’t JSON', async () => {
    const page: Answering = (_request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
    expect((await answering(afterReading(page))).evidence?.received.toString()).toBe('<html>');
  });
});

async function gzipOfZeros(mebibytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const block = Buffer.alloc(1024 * 1024);
  for (let written = 0; written < mebibytes; written++) if (!gzip.write(block)) await new Promise((resolve) => gzip.once('drain', resolve));
  await new Promise<void>((resolve) => gzip.end(resolve));
  return Buffer.concat(chunks);
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answering, type CannedServer, sendSample, startCannedServer, startRawServer } from '#e2e/support/invo/canned-server.ts';
import { sampleReport, sampleWindow } from '#e2e/support/invo/sample-answers.ts';
import { newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { InvoError } from '../invo-error.ts';
import { openInvo } from '../open-invo.ts';
import { readAttributionReport } from '../routes/attribution-report.ts';
import type { Limits } from '../settings.ts';

const SOUND = Buffer.from(JSON.stringify(sampleReport()));
const JSON_TYPE = { 'content-type': 'application/json' };
const JSON_GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

async function askOnce(server: CannedServer, limits: Partial<Limits> = {}): Promise<InvoError | 'answered'> {
  const invo = openInvo(patientSettings(server.url, newDiary(), { tries: 1, ...limits }));
  try {
    await readAttributionReport(invo, sampleWindow);
    return 'answered';
  } catch (error) {
    if (error instanceof InvoError) return error;
    throw error;
  }
}

const answering = async (answer: Answering, limits: Partial<Limits> = {}): Promise<InvoError | 'answered'> =>
  askOnce(await startCannedServer(answer), limits);
const raw = async (bytes: string | Buffer, then: 'keep' | 'end', limits: Partial<Limits> = {}): Promise<InvoError | 'answered'> =>
  askOnce(await startRawServer(bytes, then), limits);

describe('connections', () => {
  it('clients of one base URL use one connection after another call has ended', async () => {
    const ports = new Set<number | undefined>();
    const server = await startCannedServer((request, response) => {
      ports.add(request.socket.remotePort);
      sendSample(response);
    });
    for (let click = 0; click < 3; click += 1) {
      expect(await askOnce(server)).toBe('answered');
      // A connection is free once its answer has been handed over.
      await nextTurn();
    }
    expect(ports.size).toBe(1);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('a redirect is never followed (%i): the other server sees nothing', async (status) => {
    const stranger = await startCannedServer((_request, response) => sendSample(response));
    const error = await answering((_request, response) => response.writeHead(status, { location: `${stranger.url}/steal` }).end());
    expect(error).toMatchObject({ code: 'redirected', status, isRetryable: false });
    expect(stranger.seen).toHaveLength(0);
  });
});

describe('answers that aren’t JSON', () => {
  it.each([
    ['HTML with 200', 200, { 'content-type': 'text/html' }, '<html>', 'content-type'],
    ['no content type', 200, {}, SOUND, 'content-type'],
    ['HTML called JSON', 200, JSON_TYPE, '<html>', 'body'],
    ['an empty body', 200, JSON_TYPE, '', 'body'],
    ['a byte order mark', 200, JSON_TYPE, `\ufeff${SOUND}`, 'body'],
    ['bad UTF-8', 200, JSON_TYPE, Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), 'body'],
    ['204', 204, JSON_TYPE, '', 'status'],
    ['206', 206, JSON_TYPE, SOUND, 'status'],
    ['201', 201, JSON_TYPE, SOUND, 'status'],
    ['an encoding we did not offer', 200, { ...JSON_TYPE, 'content-encoding': 'br' }, SOUND, 'content-encoding'],
    ['a chain of encodings', 200, { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(SOUND)), 'content-encoding'],
    ['gzip in name only', 200, JSON_GZIP, SOUND, 'content-encoding'],
  ])('an answer that is %s is malformed', async (_, status, headers, body, path) => {
    expect(await answering((_request, response) => response.writeHead(status, headers).end(body))).toMatchObject({
      code: 'malformed',
      path,
      isRetryable: false,
    });
  });
  it('an answer that isn’t HTTP is malformed', async () => {
    expect(await raw('SSH-2.0-hello\r\n\r\n', 'end')).toMatchObject({ code: 'malformed', path: 'http' });
  });
});

describe('truncated bodies', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const torn = { code: 'unreachable', isRetryable: true, facts: { torn: true } };
  it('a body shorter than announced is an error', async () => {
    expect(await raw(`${head}Content-Length: ${SOUND.length}\r\n\r\n${SOUND.subarray(0, 500)}`, 'end')).toMatchObject(torn);
  });
  it('a chunked body that never ends is an error', async () => {
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n1f4\r\n${SOUND.subarray(0, 500)}\r\n`, 'end')).toMatchObject(torn);
  });
  it('a gzip body that stops too early is an error', async () => {
    expect(await answering((_request, response) => response.writeHead(200, JSON_GZIP).end(gzipSync(SOUND).subarray(0, -20)))).toMatchObject(
      torn,
    );
  });
  it('a connection that closes without an answer is an error', async () => {
    expect(await raw('', 'end')).toMatchObject({ code: 'unreachable', isRetryable: true });
  });
  it('a truncated body is read again', async () => {
    const server = await startCannedServer((_request, response, nth) => {
      if (nth > 2) return sendSample(response);
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 900 }).write('{');
      setImmediate(() => response.destroy());
    });
    expect(await askOnce(server, { tries: 6 })).toBe('answered');
    expect(server.seen).toHaveLength(3);
  });
});

describe('deadlines', () => {
  const late = { code: 'timeout', isRetryable: true };
  it('a read has a deadline for the first byte', async () => {
    expect(await answering(() => {}, { firstByteMs: 300 })).toMatchObject({ ...late, facts: { deadline: 'the first byte' } });
  });
  it('a read has a deadline for the next byte', async () => {
    expect(await answering((_request, response) => response.writeHead(200, JSON_TYPE).write('{'), { idleMs: 300 })).toMatchObject({
      ...late,
      facts: { deadline: 'the next byte' },
    });
  });
  it('a read has a deadline for the whole of a slow answer', async () => {
    const drip: Answering = (_request, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
      response.writeHead(200, JSON_TYPE);
    };
    expect(await answering(drip, { aggregateMs: 800 })).toMatchObject({ ...late, facts: { deadline: 'the whole call' } });
  });
});

describe('bounds', () => {
  it('a body that announces or reaches too many bytes is cut off', async () => {
    expect(
      await answering((_request, response) => response.writeHead(200, JSON_TYPE).end(SOUND), { receivedBytes: SOUND.length - 1 }),
    ).toMatchObject({ code: 'too_large', isRetryable: false });
    expect(await answering((_request, response) => response.writeHead(200, JSON_TYPE).end(SOUND), { receivedBytes: SOUND.length })).toBe(
      'answered',
    );
  });
  it('a header that is too long is cut off', async () => {
    expect(
      await answering((_request, response) => response.writeHead(200, { ...JSON_TYPE, 'x-long': 'a'.repeat(17_000) }).end(SOUND)),
    ).toMatchObject({ code: 'too_large' });
  });
  it('an answer of endless small values is cut off before it is parsed', async () => {
    const small: Answering = (_request, response) => response.writeHead(200, JSON_TYPE).end('[[],[],[],[],[]]');
    expect(await answering(small, { jsonValues: 9 })).toMatchObject({ code: 'too_large' });
    expect(await answering(small, { jsonValues: 10 })).toMatchObject({ code: 'malformed' });
  });
  it('a gzip bomb is cut off at the bound, also where its end is missing', async () => {
    const packed = await gzipOfZeros(64);
    const bomb: Answering = (_request, response) => response.writeHead(200, JSON_GZIP).end(packed.subarray(0, packed.length / 2));
    expect(await answering(bomb, { inflatedBytes: 8 * 1024 * 1024 })).toMatchObject({ code: 'too_large' });
    expect(await answering(bomb, { inflatedBytes: 128 * 1024 * 1024 })).toMatchObject({ code: 'unreachable', facts: { torn: true } });
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

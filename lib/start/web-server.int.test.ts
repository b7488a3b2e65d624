// @module-tag no-retry
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './data-folder.ts';

interface Running {
  get: (
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }>;
  /** Begins a request and resolves once its first bytes are here; `rest` resolves with the whole body. */
  begin: (path: string) => Promise<{ rest: Promise<string> }>;
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  lines: Record<string, unknown>[];
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [path.join(ROOT, 'e2e/support/start/run-web-server.ts')], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const ended = once(child, 'exit');
  const [first] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const port = Number(first);
  const open = async (target: string, headers = {}, method = 'GET'): Promise<http.IncomingMessage> => {
    const request = http.request({ host: '127.0.0.1', port, path: target, headers, method, agent: false }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  };
  const readAll = async (response: http.IncomingMessage): Promise<string> => (await response.setEncoding('utf8').toArray()).join('');
  return {
    lines,
    get: async (target, headers, method) => {
      const response = await open(target, headers, method);
      return { status: response.statusCode ?? 0, body: await readAll(response), headers: response.headers };
    },
    begin: async (target) => ({ rest: readAll(await open(target)) }),
    end: async (signal) => {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

test('a stop finishes every running request, is not ready meanwhile, and ends the process', async () => {
  const { get, begin, end, lines } = await start();
  expect((await get('/readyz')).status).toBe(200);
  const slow = await Promise.all(Array.from({ length: 20 }, () => begin('/slow')));
  const ended = end('SIGTERM');
  await expect.poll(async () => (await get('/readyz')).status).toBe(503);
  const { body, headers } = await get('/readyz');
  expect(JSON.parse(body)).toEqual({ status: 'not ready', reason: 'stopping' });
  expect(headers['connection']).toBe('close');
  // What arrives while the others are finished is served too.
  expect((await get('/release')).body).toBe('done');
  expect(await Promise.all(slow.map(({ rest }) => rest))).toEqual(slow.map(() => 'first second'));
  expect(await ended).toBe(0);
  const served = lines.filter(({ event, route }) => event === 'request' && route === '/slow');
  expect(served).toHaveLength(20);
  expect(served.filter(({ isCut }) => isCut === true)).toEqual([]);
});

test('every request has an id in its header and its line, a given one is reused, and a malformed one is replaced', async () => {
  const { get, end, lines } = await start();
  const first = await get('/a?email=fan@players.example');
  const second = await get('/b', { 'x-request-id': 'from-the-balancer-1' });
  const third = await get('/c', { 'x-request-id': 'x "y"' });
  expect(second.headers['x-request-id']).toBe('from-the-balancer-1');
  expect(third.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  await end('SIGTERM');
  const { requestId, ...line } = lines[0] ?? {};
  expect(requestId).toBe(first.headers['x-request-id']);
  expect(line).toEqual({
    event: 'request',
    method: 'GET',
    route: '/a',
    kind: 'page',
    status: 200,
    ms: expect.any(Number),
    statements: 0,
    personId: null,
  });
  expect(JSON.stringify(lines)).not.toContain('fan@players');
});

test('a request whose handler breaks is logged with its id, and the server continues', { tags: 'proof' }, async () => {
  const { get, end, lines } = await start();
  await expect(get('/broken')).rejects.toThrow();
  expect((await get('/a')).body).toBe('done');
  await end('SIGTERM');
  expect(lines).toContainEqual(expect.objectContaining({ event: 'error', message: expect.stringMatching('broken') }));
  expect(lines).toContainEqual(expect.objectContaining({ event: 'request', route: '/broken', status: null, isCut: true }));
});

test('the method of a request is what the server received, whatever its headers say', async () => {
  const { get } = await start();
  const forged = { 'x-sharebook-method': 'GET', 'x-http-method-override': 'GET' };
  expect((await get('/method', forged, 'POST')).body).toBe('POST');
  expect((await get('/method')).body).toBe('GET');
});

test.each([
  ['/address/%E0%A4%A', '/address/%25E0%25A4%25A'],
  ['/address/5%?find=5%', '/address/5%25?find=5%'],
  ['/address/%E2%82%AC?find=%E0', '/address/%E2%82%AC?find=%E0'],
])('the address %s, which may not be decodable, is handled as %s', async (target, handled) => {
  const { get } = await start();
  expect((await get(target)).body).toBe(handled);
});

test('methods that nobody uses share one name in log and metrics', { tags: 'proof' }, async () => {
  const { get, end, lines } = await start();
  await get('/a', {}, 'PROPFIND');
  await get('/a', {}, 'POST');
  await end('SIGTERM');
  expect(lines.map(({ method }) => method)).toEqual(['other', 'POST']);
});

test('a handler that writes after its end is logged, delays no stop and ends no process', { tags: 'proof' }, async () => {
  const { get, end, lines } = await start();
  expect((await get('/late')).body).toBe('done');
  expect((await get('/a')).body).toBe('done');
  expect(await end('SIGTERM')).toBe(0);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'error', message: 'write after end' }));
  expect(lines.filter(({ event }) => event === 'request').map(({ route }) => route)).toEqual(['/late', '/a']);
});

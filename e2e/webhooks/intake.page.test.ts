import { once } from 'node:events';
import http from 'node:http';
import { expect, inject, test } from 'vitest';

const ADDRESS = '/api/invo/demo/webhook';

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
  'the address of the intake refuses %s and names what it takes',
  async (method) => {
    const answer = await fetch(new URL(ADDRESS, inject('sharebook').origin), { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

test('the intake takes only signed posts, without a session, a redirect or a cookie', async () => {
  const unsigned = await post({ 'content-type': 'application/json' });
  expect([unsigned.status, unsigned.headers.get('cache-control'), unsigned.headers.getSetCookie()]).toEqual([400, 'no-store', []]);
  expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
  const forged = { 'content-type': 'application/json', 'x-service-signature': `t=1795000000,v1=${'0'.repeat(64)}` };
  expect((await post(forged)).status).toBe(401);
  expect((await post(forged, 'x'.repeat(262_145))).status).toBe(413);
  for (const path of [`/${ADDRESS}`, `http://starfall.example${ADDRESS}`, `${ADDRESS}/`]) expect(await statusOf(path), path).toBe(405);
  expect((await post({ 'content-type': 'application/json' }, '{}', '/api/invo/nobody/webhook')).status).toBe(404);
});

async function post(headers: Record<string, string>, body = '{}', address = ADDRESS): Promise<Response> {
  return await fetch(new URL(address, inject('sharebook').origin), { method: 'POST', redirect: 'manual', headers, body });
}

/** The status of a GET of a path as it is written; a client would normalize it first. */
async function statusOf(path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(inject('sharebook').origin);
  const [answer] = (await once(http.get({ hostname, port, path }), 'response')) as [http.IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { request, search, visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test.each([
  ['TXN_2026100013', '/demo/periods/2026100013'],
  [' MINT_2026100013 ', '/demo/periods/2026100013'],
  ['2026100013', '/demo/periods/2026100013'],
  ['SUB_1733565600_DESKTHEO', '/demo/subscriptions/SUB_1733565600_DESKTHEO'],
  ['ORD_BREE_02', '/demo/orders/ORD_BREE_02'],
  ['TRF_CLAIM', '/demo/transfers/TRF_CLAIM'],
])('a search for “%s” finds %s', async (id, href) => {
  expect((await search(id)).matches.map((match) => match.href)).toContain(href);
});

test.each([
  ['TXN_404', 'No order and no transfer has this ID in this game and environment.'],
  ['404', 'No period, order or transfer has this number in this game and environment.'],
  ['SUB_1_NOTTHERE', 'No such subscription in this game and environment.'],
  ['nobody@players.example', 'No such player'],
  ['two words', 'Search for one email or ID at a time, without spaces.'],
  ['someone@', 'Enter a complete email, such as name@example.com.'],
])('a search for “%s” finds nothing and says what doesn’t exist', async (text, sentence) => {
  const reply = await search(text, 'auditor');
  expect(reply).toMatchObject({ matches: [], sentence: expect.stringContaining(sentence) });
});

test('a number is searched at Invo as a period before it counts as a player, and local matches are shown when Invo fails', async () => {
  await control('calls', {}, 'DELETE');
  expect((await search('9009', 'auditor')).matches.map(({ href }) => href)).toEqual(['/demo/players/9009']);
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { path: string }[] };
  expect(calls.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/periods\/9009$/));
  await control('faults', [{ kind: '500', times: 50 }]);
  const reply = await search('9009', 'auditor');
  expect(reply.sentence).toContain('Local matches:');
  expect(JSON.stringify(reply.matches)).toContain('Halcyon Drift');
  const without = await search('999999901', 'auditor');
  expect([without.matches, without.sentence]).toEqual([[], expect.stringContaining('No local match.')]);
});

test('a viewer finds recipients by ID only, with masked emails, and has no page of a player', async () => {
  expect((await search('witness-9009@creators.example', 'viewer')).sentence).toContain('Your role can’t search by email.');
  const found = JSON.stringify((await search('9009', 'viewer')).matches);
  expect(found).toContain('/demo/recipients/9009');
  expect(found).toContain('w•••@c•••.example');
  const page = await visit('/demo/recipients/9009', 'viewer');
  expect(page.text).toContain('w•••@c•••.example');
  expect(found + page.html).not.toContain('witness-9009@creators.example');
  for (const path of ['/demo/players/9009', '/demo/subscriptions/SUB_1733392800_DESKMIRA', '/demo/periods/2026100013'])
    expect((await request(path, 'viewer')).status, path).toBe(403);
});

test('nobody searches before signing in', async () => {
  const page = await visit('/sign-in', null);
  expect(page.heading).toBe('Try Sharebook');
  expect(page.buttons.filter((name) => name.startsWith('Search'))).toEqual([]);
  expect((await visit('/demo/months')).buttons.filter((name) => name.startsWith('Search'))).not.toEqual([]);
});

import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { sendAction } from '../pages/send-action.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';
import { cookieOf, request, requestRefund, search, visit } from '../pages/visit.ts';
import { runOperatorCommand } from '../runner/run-sharebook.ts';
import { FIXED_NOW } from '../runner/seeded-data.ts';

beforeEach(async () => {
  await control('calls', undefined, 'DELETE');
});
afterEach(letGo);

const open = async (playerId: number) => await visit(`/demo/players/${playerId}`, 'support');

/** Finds a player by email, as support does, and opens the page that the search leads to. */
async function openByEmail(name: string): ReturnType<typeof open> {
  const { matches } = await search(`${name}@players.example`);
  return await visit(matches[0]?.href ?? '', 'support');
}

/** The routes that were requested from Invo, by name. */
async function routesCalled(): Promise<string[]> {
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { route: string }[] };
  return calls.map(({ route }) => route).toSorted();
}

/** Presses Refresh on one part. */
async function refresh(playerId: number, part: string, role: 'support' | 'viewer' = 'support'): Promise<Record<string, unknown> | null> {
  const path = `/demo/players/${playerId}`;
  const call = { path, action: 'readPartAction', args: ['demo', String(playerId), part], cookie: await cookieOf(role) };
  return (await sendAction({ ...call, origin: inject('sharebook').origin })).result;
}

test('one page shows the wallet, what was charged and refunded, and each subscription with its last period', async () => {
  const page = await openByEmail('tomas.vey');
  expect(page.region('Wallet balances').row(/^Lumens/).text).toContain('20.00');
  const [charge] = page.region('Charges by date').rows.slice(1);
  expect(charge?.text).toContain('5 Dec 2024');
  expect(charge?.text).toContain('40.00');
  expect(charge?.text).toContain('Partially refunded$12.00 refunded');
  const subscription = page.region('Subscriptions with their last period').row(/DESKTOMA/);
  expect(subscription.text).toContain('Period 1, 5 Dec 2024');
  expect(subscription.text).toContain('$12.00 refunded');
  expect(page.text).toContain('Contains the paid periods of the one subscription Invo lists. Invo doesn’t list a player’s purchases');
});

test('two charges of one amount on one day are next to each other, and the page says so first', async () => {
  await openByEmail('bree.okoro');
  for (const order of ['ORD_BREE_13', 'ORD_BREE_08', 'ORD_BREE_04', 'ORD_BREE_03']) await search(order);
  const page = await open(910_024);
  expect(page.region('2 charges of $9.99 on 3 Nov 2026').text).toContain('2 were not refunded in full.');
  const ids = page.region('Charges by date').rows.map(({ text }) => /ORD_BREE_\d+/.exec(text)?.[0]);
  expect(ids.filter(Boolean), 'the failed order is no charge').toEqual(['ORD_BREE_08', 'ORD_BREE_13', 'ORD_BREE_03']);
  expect(page.region('Charges by date').row(/ORD_BREE_13/).text).toContain('Same amount, within 24 hours');
  expect(page.region('Charges by date').row(/ORD_BREE_08/).text, 'a completed order may be partially refunded').toContain(
    'Not refunded in full',
  );
});

test('an answer of the search isn’t requested again by the page, and Refresh requests its own part only', async () => {
  const playerId = Number((await openByEmail('fan-202609-9')).path.split('/').at(-1));
  expect(await routesCalled()).toEqual(['balances', 'loyalty', 'player-subscriptions', 'subscription-attribution']);
  await control('calls', undefined, 'DELETE');
  expect(await refresh(playerId, 'wallet')).toMatchObject({ kind: 'part' });
  expect(await routesCalled()).toEqual(['balances']);
  await control('calls', undefined, 'DELETE');
  await refresh(playerId, 'billing');
  expect(await routesCalled()).toEqual(['player-subscriptions', 'subscription-attribution']);
});

test('a part that can’t be read says so, and the others are shown', async () => {
  await control('faults', [
    { kind: '503', times: 50, match: { route: 'loyalty' } },
    { kind: '500', times: 50, match: { route: 'subscription-attribution' } },
  ]);
  const page = await openByEmail('ruth.amsel');
  expect(page.region('Loyalty').text).toContain('Couldn’t load loyalty from Invo.');
  expect(page.region('Charges').text).toContain('Couldn’t load the periods of 1 subscription from Invo. Nothing is stored yet.');
  expect(page.region('Charges').text).toContain('Periods of 0 of 1 subscriptions were read, so renewals may be missing.');
  expect(page.region('Subscriptions with their last period').row(/DESKRUTH/).text).toContain('not read');
  expect(page.regions('Wallet balances')).toHaveLength(1);
  expect(page.buttons.filter((name) => name === 'Try again: loyalty')).toHaveLength(1);
});

test('a slow part doesn’t hold the others', async () => {
  await search('sena.ward@players.example');
  await hold({ route: 'loyalty' });
  const answer = await request('/demo/players/910008', 'support');
  let text = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes('Wallet balances') && text.includes('DESKSENA')) break;
  }
  await untilHeld();
  expect(text).toContain('Loading…');
  expect(text).not.toMatch(/Loyalty data isn’t stored\.|Couldn’t load loyalty/);
});

test('a player without charges or refunds has none known, which isn’t none', async () => {
  const page = await openByEmail('wren.ashby');
  expect(page.region('Charges').text).toContain('No charge is known.');
  expect(page.region('Charges').text).toContain('Invo lists no subscriptions.');
  expect(page.region('Refunds in Sharebook').text).toContain('Refunds made in Invo’s console aren’t listed here.');
  expect(page.region('Transfers').text).toContain('None known yet.');
});

test('a refund requested here is beside its charge and in the list of refunds', async () => {
  const refund = await requestRefund(2024128017);
  const page = await openByEmail('marta.silva');
  const name = `Refund ${refund.split('/').at(-1)}`;
  expect(page.region('Refunds in Sharebook').link(new RegExp(`^${name}, \\$1\\.00`))).toBe(refund);
  expect(
    page
      .region('Charges by date')
      .row(/Supporter pass/)
      .link(name),
  ).toBe(refund);
});

test('while Invo is away a page that was never read says what it doesn’t know', async () => {
  await control('faults', [{ kind: '503', times: 200 }]);
  const page = await open(9012);
  expect(page.region('Wallet').text).toContain('Not read: Invo couldn’t be reached.');
  expect(page.region('Charges').text).toContain('The player’s subscriptions weren’t read, so renewals may be missing.');
  expect(page.region('Subscriptions').text).toContain('Not read, and no subscriptions are stored.');
});

test('of an erased player neither name nor email is shown, and nothing is requested from Invo', async () => {
  const page = await openByEmail('fan-202609-7');
  const playerId = Number(page.path.split('/').at(-1));
  expect(page.text).toContain('fan-202609-7@players.example');
  const erase = ['erase', '--game', 'demo', '--recipient', String(playerId), '--reason', 'a request'];
  const { data, settings } = inject('sharebook');
  runOperatorCommand(erase, data, { ...settings, SHAREBOOK_NOW: FIXED_NOW }, '');
  await control('calls', undefined, 'DELETE');
  const erased = await open(playerId);
  expect(erased.heading).toBe(`Player ${playerId}`);
  expect(erased.text).not.toContain('fan-202609-7');
  expect(erased.regions('Wallet balances')).toEqual([]);
  expect(await routesCalled()).toEqual([]);
});

test('a viewer opens no player, and can’t refresh a part', async () => {
  expect((await request('/demo/players/910002', 'viewer')).status).toBe(403);
  await expect(refresh(910_002, 'wallet', 'viewer')).rejects.toThrow('403');
});

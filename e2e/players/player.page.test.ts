import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { search, visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const open = async (path: string) => await visit(`/demo/players/${path}`, 'auditor');
const find = async (name: string) => await search(`${name}@players.example`, 'auditor');

test('I see the wallet, cards and subscriptions of a player, with coins under their own name', async () => {
  expect((await find('mira.holt')).matches[0]?.href).toBe('/demo/players/910001');
  const page = await open('910001');
  expect(page.text).toContain('mira.holt@players.example');
  expect(page.region('Wallet balances').row(/^Lumens/).text).toContain('350.00');
  const cards = await visit(page.link('Cards'), 'auditor');
  expect(cards.region('Saved cards').rows).toHaveLength(3);
  expect(cards.region('Saved cards').rows[1]?.text).toContain('Amex •••• 0005');
  expect(cards.text).toContain('Expired cards aren’t listed');
  expect((await visit(page.link('Subscriptions'), 'auditor')).region('Subscriptions').text).toContain('SUB_1733392800_DESKMIRA');
});

test('a player without subscriptions differs from no player at all', async () => {
  await find('wren.ashby');
  expect((await open('910013/subscriptions')).text).toContain('This player exists and has no subscriptions.');
  expect((await open('4040')).headings()).toContain('Player 4040 isn’t known to Sharebook');
});

test('an empty list with a wallet that can’t be read doesn’t claim that the player exists', async () => {
  await find('wren.ashby');
  expect((await open('910013/subscriptions')).text).toContain('This player exists and has no subscriptions.');
  await control('faults', [{ kind: '500', times: 20, match: { route: 'balances' } }]);
  expect((await open('910013/subscriptions')).text).toContain(
    'Invo lists no subscriptions. Sharebook couldn’t check whether the player still exists.',
  );
});

test('a long list of subscriptions has pages, and a player who is a recipient links to the recipient page', async () => {
  await find('guild.house');
  expect((await open('910014/subscriptions')).region('Subscriptions').rows).toHaveLength(64);
  const last = await open('910014/subscriptions?from=60');
  expect(last.text).toContain('61–63 of 63 subscriptions');
  expect(last.link('Newer')).toBe('/demo/players/910014/subscriptions');
  expect((await open('9010')).link('View recipient')).toBe('/demo/recipients/9010');
});

test('when Invo fails I see the stored data of a player', async () => {
  expect((await open('9013/cards')).regions('Saved cards')).toHaveLength(1);
  await control('faults', [{ kind: '503', times: 50 }]);
  const page = await open('9013/cards');
  expect(page.text).toContain('Couldn’t refresh the cards. Showing data from');
  expect(page.regions('Saved cards')).toHaveLength(1);
});

import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { search, visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { loyalty: null, 'item-history': null });
});

const ASA = 'players/910023';
const visitTab = async (path: string) => await visit(`/demo/${path}`, 'support');

/** Finds a player by email, as support does; returns the path of the page. */
async function find(name: string): Promise<string> {
  const { matches } = await search(`${name}@players.example`);
  expect(matches).toHaveLength(1);
  return matches[0]?.href.replace('/demo/', '') ?? '';
}

test('a wallet shows available, reserved and total as reported', async () => {
  const page = await visitTab(await find('asa.venn'));
  const cents = page
    .region('Wallet balances')
    .row(/^Lumens/)
    .cells.map((cell) => Number(/[\d,]+\.\d\d/.exec(cell)?.[0].replaceAll(/[,.]/g, '')));
  const [available = 0, reserved = 0, total = 0] = cents;
  // Other files sell and move coins of this player: 250.00 of 5,250.00 are reserved from the start.
  expect(available).toBeGreaterThan(400_000);
  expect(reserved).toBeGreaterThanOrEqual(25_000);
  expect(available + reserved).toBe(total);
  expect(page.text).toContain('Read from Invo at');
  expect((await visitTab(await find('bree.okoro'))).region('Wallet balances').text).toContain('−45.50');
});

test('a wallet of two currencies adds nothing up', async () => {
  const page = await visitTab(await find('juno.marl'));
  expect(page.region('Wallet balances').rows).toHaveLength(3);
  expect(page.text).toContain('Currencies are never added up.');
});

test('a player without a valid card has an empty list that says expired cards aren’t in it', async () => {
  await find('ruth.amsel');
  expect((await visitTab('players/910007/cards')).text).toContain('No valid cards. Invo doesn’t list expired cards.');
});

test('loyalty shows states as reported, a code by its last four characters, and no picture', async () => {
  await find('asa.venn');
  await control('shape', { loyalty: 'full_code' });
  const page = await visitTab(`${ASA}/loyalty`);
  const harbour = page.region('Harbour week');
  expect(harbour.text).toContain('1 of 3 steps complete, in order');
  // Another file may have reported one more.
  expect(harbour.items[1]?.text).toMatch(/^Light five lanternsOpen · [23] of 5$/);
  expect(harbour.items[2]?.text, 'no progress was reported').toBe('Send Lumens to EmberfallLocked');
  expect(page.region('Lantern parade').text).toContain('Finished, reward being checked');
  expect(page.region('Founders’ regatta').text).toContain('••••7K2Q');
  expect(page.region('Night market').text).toContain('rehearsal');
  expect(page.text).toContain('Loyalty data isn’t stored.');
  expect(page.html).not.toContain('CANARY');
  expect(page.main.element.querySelectorAll('img, source, iframe')).toEqual([]);
});

test('the loyalty tab says why it has no cards, and offers to try again only where that can help', async () => {
  const mira = await find('mira.holt');
  expect((await visitTab(`${mira}/loyalty`)).headings()).toContain('No loyalty cards');
  await find('asa.venn');
  await control('shape', { loyalty: 'not_set_up' });
  expect((await visitTab(`${ASA}/loyalty`)).headings()).toContain('Loyalty isn’t set up');
  await control('shape', { loyalty: null });
  expect((await visitTab(`${ASA}/loyalty`)).regions('Harbour week')).toHaveLength(1);
  await control('faults', [{ kind: '404', code: 'PLAYER_NOT_FOUND', times: 9, match: { route: 'loyalty' } }]);
  expect((await visitTab(`${ASA}/loyalty`)).headings()).toContain('Not a loyalty player');
  for (const [status, code, title] of [
    [403, 'TENANT_NOT_MIGRATED', 'This game isn’t migrated at Invo'],
    [503, 'sdk_verification_disabled', 'In-app verification isn’t enabled'],
  ] as const) {
    await control('faults', {}, 'DELETE');
    await control('faults', [{ kind: 'refuse', status, code, times: 9, match: { route: 'loyalty' } }]);
    const page = await visitTab(`${ASA}/loyalty`);
    expect(page.headings()).toContain(title);
    expect(page.buttons).not.toContain('Try again');
  }
  await control('faults', {}, 'DELETE');
  await control('faults', [{ kind: '503', times: 9, match: { route: 'loyalty' } }]);
  const failed = await visitTab(`${ASA}/loyalty`);
  expect(failed.text).toContain('Loyalty couldn’t be read');
  expect(failed.text).not.toContain('Harbour week');
  expect(failed.buttons).toContain('Try again');
});

test('a card of another version is shown raw', async () => {
  await find('asa.venn');
  await control('shape', { loyalty: 'version_2' });
  const page = await visitTab(`${ASA}/loyalty`);
  expect(page.text).toContain('Sharebook doesn’t know version 2 of this card.');
  expect(page.text).not.toContain('In progress');
  expect(page.html).not.toContain('CANARY');
});

test('a failing loyalty doesn’t hold the wallet', async () => {
  await find('asa.venn');
  await control('faults', [{ kind: '500', times: 50, match: { route: 'loyalty' } }]);
  expect((await visitTab(ASA)).regions('Wallet balances')).toHaveLength(1);
});

test('item purchases are shown under Invo’s names, and an unknown form as it came', async () => {
  await find('asa.venn');
  const page = await visitTab(`${ASA}/orders`);
  const rows = page.region('Item purchases');
  expect(rows.columns[1]).toBe('Item');
  // Another file may have sold more.
  expect(rows.rows.length).toBeGreaterThanOrEqual(5);
  expect(page.text).toContain('Invo doesn’t list a player’s orders');
  expect(page.text).not.toContain('Invo has more rows than this answer.');
  await control('shape', { 'item-history': 'pages+more' });
  expect((await visitTab(`${ASA}/orders`)).text).toContain('Invo has more rows than this answer.');
  await control('shape', { 'item-history': 'none' });
  expect((await visitTab(`${ASA}/orders`)).text).toContain('Sharebook doesn’t recognize this response format.');
});

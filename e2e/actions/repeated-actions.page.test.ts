import { beforeAll, expect, test } from 'vitest';
import { approveAction, listFileRows, submitAction } from '../pages/request-action.ts';
import { DESK_SETTINGS as SETTINGS, turnOnGroup } from '../pages/turn-on-group.ts';
import { search, send, visit } from '../pages/visit.ts';

const PLAYER = '/demo/players/910023';

beforeAll(async () => {
  await search('asa.venn@players.example');
  await turnOnGroup('items');
  await turnOnGroup('milestones');
  const name = { game: 'demo', eventType: 'game.custom.recorded', name: 'lantern_lit', label: 'Lantern' };
  await send('addMilestoneAction', SETTINGS, name, 'admin');
});

const submit = async (path: string, kind: string, typed: Record<string, string>) =>
  await submitAction(path, kind, { playerId: '910023', ...typed });

/** The page of an action once it has the text. */
async function shownOnce(path: string, text: string): Promise<string> {
  let shown = '';
  await expect.poll(async () => (shown = (await visit(path, 'support')).text), { timeout: 20_000 }).toContain(text);
  return shown;
}

test('an item is sold from the page of its player, and Sharebook sends it by itself', async () => {
  expect((await visit(PLAYER, 'support')).text).toContain('Sell item…');
  expect((await visit(PLAYER, 'auditor')).text).not.toContain('Sell item…');
  const form = await visit(`${PLAYER}/item`, 'support');
  expect(form.text).toContain('Deliver the item in the game.');
  expect(form.text).toContain('Unit price (Lumens)');
  // Read and focused in this order: the form comes after the facts that it rests on.
  expect(form.text.indexOf('As reported by Invo')).toBeLessThan(form.text.indexOf('Unit price (Lumens)'));
  const typed = { itemName: 'Sail dye', itemId: 'dye', quantity: '3', unitPrice: '12.50' };
  const refused = await submit(`${PLAYER}/item`, 'item_sale', { ...typed, quantity: '0' });
  expect(refused.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('Check the item.') as unknown });
  const tooDear = await submit(`${PLAYER}/item`, 'item_sale', { ...typed, unitPrice: '900000' });
  expect(tooDear.result).toMatchObject({
    kind: 'refused',
    sentence: 'The available coins of the account they are taken from don’t cover this.',
  });
  const { target } = await submit(`${PLAYER}/item`, 'item_sale', typed);
  expect(target).toMatch(/^\/demo\/actions\/\d+$/);
  const shown = await shownOnce(target ?? '', 'The item was sold: Invo took the coins once.');
  expect(shown).toContain('Item sale of 3 × Sail dye for 37.50 Lumens to Asa Venn');
  expect(shown).toContain('3 × 12.50');
  const row = (await visit('/demo/actions', 'support')).row(/Item sale/).text;
  expect(row).toContain('Asa Venn, 3 × Sail dye for 37.50 Lumens');
  expect(await listFileRows('Sail dye')).toMatchObject([{ kind: 'item_sale', milestone: '', house_account: '', item_name: 'Sail dye' }]);
});

test('a milestone waits for a second person, who sees what it can unlock, and is then recorded', async () => {
  expect((await visit(`${PLAYER}/loyalty`, 'support')).text).toContain('Report a milestone…');
  const form = await visit(`${PLAYER}/milestone`, 'support');
  expect(form.text).toContain('Lantern (lantern_lit)');
  expect(form.region('What it can unlock').text).toMatch(/steps complete/);
  const typed = { milestone: 'game.custom.recorded lantern_lit', value: '3', occurredAt: '2026-11-20T18:30' };
  const { target } = await submit(`${PLAYER}/milestone`, 'milestone', typed);
  const oil = { itemName: 'Lamp oil', itemId: 'oil', quantity: '1', unitPrice: '1.00' };
  const later = await submit(`${PLAYER}/item`, 'item_sale', oil);
  await shownOnce(later.target ?? '', 'The item was sold');
  const listed = (await visit('/demo/actions', 'support')).rows.map(({ text }) => text);
  expect(
    listed.findIndex((text) => text.includes('lantern_lit')),
    'what needs action comes first',
  ).toBeLessThan(listed.findIndex((text) => text.includes('Lamp oil')));
  const waiting = await approveAction(target ?? '');
  expect(waiting.text).toContain('A second person must approve it first.');
  expect(waiting.text.indexOf('Before the request'), 'a decision comes after all that it is about').toBeLessThan(
    waiting.text.indexOf('You approve exactly'),
  );
  expect(waiting.region('What it can unlock').text).toMatch(/steps complete/);
  await shownOnce(target ?? '', 'Invo recorded the event.');
  expect(await listFileRows('lantern_lit')).toMatchObject([{ kind: 'milestone', milestone: 'lantern_lit', item_name: '' }]);
});

import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { visit } from '../pages/visit.ts';

const PAVEL = 'SUB_1733479200_DESKPAVE';
const VIK = 'SUB_1638957600_DESKVIK1';
const MIRA = 'SUB_1733392800_DESKMIRA';

const open = async (subscription: string, tool: string) => await visit(`/demo/subscriptions/${subscription}/${tool}`, 'support');

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('an ended subscription shows how it ended instead of a form, and its price can’t be changed', async () => {
  const page = await open(PAVEL, 'cancel');
  expect(page.text).toContain('The subscription has already ended');
  expect(page.text).toContain('Final status: Canceled.');
  expect(page.buttons).not.toContain('Cancel subscription…');
  const price = await open(PAVEL, 'price');
  expect(price.text).toContain('The price can’t be changed');
  expect(price.buttons).not.toContain('Change price…');
});

test('a subscription charged by the game store has no card to change', async () => {
  const page = await open(VIK, 'card');
  expect(page.text).toContain('The game store charges this subscription.');
  expect(page.buttons).not.toContain('Change card…');
});

test('when Invo is down the page explains it, shows no form and offers to try again', async () => {
  await control('faults', [{ kind: '503', times: 9, match: { route: 'subscription' } }]);
  const page = await open(MIRA, 'cancel');
  expect(page.text).toContain('The subscription couldn’t be read from Invo, so it can’t be changed');
  expect(page.buttons).not.toContain('Cancel subscription…');
  expect(page.buttons).toContain('Try again');
  await control('faults', {}, 'DELETE');
  expect((await open(MIRA, 'cancel')).buttons).toContain('Cancel subscription…');
});

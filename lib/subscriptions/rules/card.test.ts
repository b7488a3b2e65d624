import { expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { findCardBlocker, maskCardNumbers, maskPersonal } from './card.ts';

test.each([
  ['visa 4242424242424242', 'visa •••• 4242'],
  ['4242 4242-4242.4241 debit', '•••• 4241 debit'],
  ['12345678901', '12345678901'],
  ['on 2026-11-21 12:00:00', 'on 2026-11-21 12:00:00'],
])('masking card numbers in %j keeps the last four digits', (text, covered) => {
  expect(maskCardNumbers(text)).toBe(covered);
});

test('masking personal data also masks emails', () => {
  expect(maskPersonal('mira@players.example lost 4242 4242 4242 4242')).toMatch(/^m\S+@\S+ lost •••• 4242$/);
});

test.each([
  [{}, 2, null],
  [{}, 0, 'no_cards'],
  [{}, null, 'player_unknown'],
  [{ status: 'canceled' }, 2, 'ended'],
  [{ funding_rail: 'pcstore' }, null, 'pcstore'],
  [{ funding_rail: 'pcstore', status: 'expired' }, 2, 'pcstore'],
])('a card change of %j with %s cards is blocked by %s', (changed, cards, blocker) => {
  expect(findCardBlocker(sampleSubscription(changed), cards)).toBe(blocker);
});

test.each([
  ['Asked by mira.holt@players.example twice', 'Asked by m•••@p•••.example twice'],
  ['card 4242 4242 4242 4242 was lost', 'card •••• 4242 was lost'],
  ['card 4242424242424242', 'card •••• 4242'],
  ['SUB_1733392800_DESKMIRA is too expensive', 'SUB_1733392800_DESKMIRA is too expensive'],
])('%j is stored as %j', (text, kept) => {
  expect(maskPersonal(text)).toBe(kept);
});

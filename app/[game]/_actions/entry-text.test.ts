import { expect, test } from 'vitest';
import {
  closedBy,
  type EntryFacts,
  entryOf,
  findEntryErrors,
  findReasonErrors,
  formatRequestedEntry,
  listEntryFacts,
} from './entry-text.ts';

const NOW = '2026-11-21T12:00:00Z';
const FACTS: EntryFacts & { player: string } = {
  coins: 'Lumens',
  milestones: [{ value: 'game.milestone.reached boss_1', label: 'First boss' }],
  slug: 'demo',
  houses: [{ playerId: 910_031, label: 'Starfall House', closed: null, coinsLeft: null }],
  about: {},
  player: 'Asa Venn',
};
const SEND = {
  house: '910031',
  entered: '+49 151 12345678',
  phoneAgain: '+4915112345678',
  gameId: '41207',
  gameName: 'Starfall',
  amount: '25',
};

test('a button names what is requested before it is typed, and then what was typed', () => {
  expect(formatRequestedEntry('send', {}, FACTS)).toBe('coins');
  expect(formatRequestedEntry('send', { amount: '25' }, FACTS)).toBe('25.00 Lumens');
  expect(formatRequestedEntry('milestone', {}, FACTS)).toBe('a milestone');
  expect(formatRequestedEntry('amount', {}, FACTS), 'its verb names the link').toBeNull();
  expect(formatRequestedEntry(null, {}, FACTS)).toBeNull();
});

test('a send is restated before it is confirmed: amount, house account, receiver, the end of their phone, and game', () => {
  expect(findEntryErrors('send', SEND, NOW)).toEqual({});
  const restated = listEntryFacts('send', SEND, FACTS);
  expect(restated.map(({ value }) => value)).toEqual([
    '25.00 Lumens',
    'Starfall House (player 910031)',
    'Asa Venn',
    'Ends in 78',
    'Starfall',
  ]);
  expect(JSON.stringify(restated)).not.toContain('1234567');
  expect(listEntryFacts('transfer', SEND, FACTS).map(({ label }) => label)).toEqual(['Amount', 'Player', 'Player’s phone', 'Into game']);
});

test.each([
  ['a number without country code', { entered: '0151 12345678' }, 'entered', 'country code'],
  ['another number below', { phoneAgain: '+4915112345679' }, 'phoneAgain', 'isn’t the same'],
  ['no game', { gameId: '' }, 'gameId', 'Look up the games'],
])('a send with %s is refused at its field', (_, change, field, words) => {
  expect(findEntryErrors('send', { ...SEND, ...change }, NOW)[field]).toContain(words);
});

test.each([
  ['milestone', { milestone: 'x y', occurredAt: '2026-11-21T13:00' }, { occurredAt: 'still to come' }],
  ['milestone', { milestone: 'x y', occurredAt: '2026-10-01T13:00' }, { occurredAt: 'more than 30 days' }],
  ['milestone', { milestone: 'x y', occurredAt: '' }, { occurredAt: 'Enter when it happened' }],
  ['milestone', { milestone: 'x y', occurredAt: '2026-11-21T11:00', value: 'two words' }, { value: 'without spaces' }],
  ['event', { milestone: 'game.milestone.reached é', occurredAt: '2026-11-21T11:00' }, { milestone: 'without accents' }],
  [
    'item',
    { itemName: 'a@b.example', itemId: 'a b', quantity: '1', unitPrice: '1' },
    { itemName: 'without an email', itemId: 'Use letters' },
  ],
  ['claim_code', { entered: '4242424242424242' }, { entered: 'without a long number' }],
  ['set_up', { setUp: 'seti 1' }, { setUp: 'Use letters' }],
] as const)('in the form of a %s, %o is refused at its field', (entry, typed, expected) => {
  const errors = findEntryErrors(entry, typed, NOW);
  expect(Object.keys(errors)).toEqual(Object.keys(expected));
  for (const [field, words] of Object.entries(expected)) expect(errors[field]).toContain(words);
});

test('emails, phones and card numbers are refused in ticket and description, and a missing ticket only in production', () => {
  expect(findReasonErrors({}, false)).toEqual({});
  expect(Object.keys(findReasonErrors({}, true))).toEqual(['ticket']);
  const typed = { ticket: '+49 170 1234567', description: 'Card 4242 4242 4242 4242' };
  expect(Object.keys(findReasonErrors(typed, true))).toEqual(['ticket', 'description']);
  expect(findReasonErrors({ ticket: 'T-1042', description: 'Write to asa@players.example' }, true)).toHaveProperty('description');
  expect(findReasonErrors({ ticket: 'T-1042', description: 'Since 2026-11-20, 18:30' }, true)).toEqual({});
});

test('the form of a claim has the player’s phone, twice, exactly where Invo named it before', () => {
  const after = (...claim_fields: ('player_email' | 'player_phone')[]) => entryOf('claim_code', { claim_fields });
  expect([entryOf('claim_code', {}), after('player_email')]).toEqual(['claim_code', 'claim_code']);
  expect([after('player_phone'), after('player_email', 'player_phone')]).toEqual(['claim_phone', 'claim_phone']);
  expect(entryOf(null, { claim_fields: ['player_phone'] })).toBeNull();
  const typed = { entered: 'CLM-1', phone: '+49 151 12345678', phoneAgain: '+4915112345678' };
  expect(findEntryErrors('claim_phone', typed, NOW)).toEqual({});
  expect(Object.keys(findEntryErrors('claim_phone', { ...typed, entered: '', phone: '' }, NOW))).toEqual(['entered', 'phone']);
  expect(Object.keys(findEntryErrors('claim_phone', { ...typed, phoneAgain: '+4915112345679' }, NOW))).toEqual(['phoneAgain']);
  expect(findEntryErrors('claim_code', { entered: 'CLM-1' }, NOW)).toEqual({});
  const restated = JSON.stringify(listEntryFacts('claim_phone', typed, FACTS));
  expect(restated).toContain('Ends in 78');
  expect(restated).not.toMatch(/1234567|CLM-1/);
});

test('a send can’t be requested from an account that can start nothing for a while, nor where each of them can’t', () => {
  const [open, full, other] = [null, 'Full.', 'Full too.'].map((closed, index) => ({
    playerId: index,
    label: '',
    closed,
    coinsLeft: null,
  }));
  if (open === undefined || full === undefined || other === undefined) throw new Error('three accounts');
  expect([closedBy([], {}), closedBy([open, full], {}), closedBy([open, full], { house: '0' })]).toEqual([null, null, null]);
  expect([closedBy([open, full], { house: '1' }), closedBy([full, other], {}), closedBy([full, other], { house: '2' })]).toEqual([
    'Full.',
    'Full.',
    'Full too.',
  ]);
});

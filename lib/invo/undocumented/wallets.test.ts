import { describe, expect, test } from 'vitest';
import { parseStreamRecord } from './balance-stream.ts';
import { parseBatchAnswer } from './wallets.ts';

const held = (available: unknown, name = 'Lumens', id = 311) => ({
  currency_id: id,
  currency_name: name,
  available_balance: available,
  reserved_balance: '0.00',
  total_balance: available,
});
const wallet = (email: string, ...balances: object[]) => ({ player: { player_id: 7, player_name: 'Ana', player_email: email }, balances });

/** Each address with its result: the available balances, or the kind and its reason. */
function readings(json: unknown): Record<string, string> | null {
  const read = parseBatchAnswer(json);
  if (read === null) return null;
  const words = [...read.answers].map(([key, answer]) => {
    if (answer.kind === 'found')
      return [key, answer.wallet.balances.map(({ available, currencyName }) => `${available} ${currencyName}`).join(' + ') || 'empty'];
    return [key, answer.kind === 'unknown' ? 'unknown' : `unreadable ${answer.reason}`];
  });
  return Object.fromEntries(words) as Record<string, string>;
}

describe('an answer to a batch is read in each shape it may have', () => {
  const ana = wallet('Ana@x.example', held('1.50'), held('-45.50', 'Embers', 318));
  const both = { 'ana@x.example': '1.50 Lumens + -45.50 Embers', 'ben@x.example': 'unknown' };
  test.each<[string, unknown]>([
    ['a list with found: false', [ana, { player_email: 'ben@x.example', found: false }]],
    ['a list whose unknown players are errors', [ana, { email: 'ben@x.example', error_code: 'PLAYER_NOT_FOUND' }]],
    ['a list whose unknown players are null', [ana, { player_email: 'ben@x.example', player: null, balances: null }]],
    ['an object by email', { 'Ana@x.example': ana, 'ben@x.example': null }],
    ['an object by email with lists of balances', { 'Ana@x.example': ana.balances, 'ben@x.example': { found: false } }],
    ['results and not_found', { results: [ana], not_found: ['Ben@x.example'] }],
    [
      'players by email and errors as a list',
      { data: { players: { 'ana@x.example': ana } }, errors: [{ player_email: 'ben@x.example', code: 'player_not_found' }] },
    ],
    ['errors by email', { players: [ana], errors: { 'ben@x.example': { error: { code: 'not_found' } } } }],
    [
      'flat entries, one for each currency',
      [
        { player_email: 'ana@x.example', ...held('1.50') },
        { player_email: 'ana@x.example', ...held('-45.50', 'Embers', 318) },
        { player_email: 'ben@x.example', found: false },
      ],
    ],
  ])('%s', (_, json) => expect(readings(json)).toEqual(both));

  test.each<[string, unknown]>([
    ['text', 'hello'],
    ['null', null],
    ['a status', { status: 'ok' }],
    ['a list of numbers', [1, 2]],
    ['objects without emails', { results: [{ a: 1 }] }],
  ])('%s is no answer at all', (_, json) => expect(parseBatchAnswer(json)).toBeNull());

  test.each<[string, object]>([
    ['a code', { error_code: 'PLAYER_NOT_FOUND' }],
    ['a general code', { error_code: 'not_found' }],
    ['found: false beside the word of an envelope', { found: false, status: 'success' }],
    ['found: false beside its code', { found: false, reason: 'unknown_player' }],
    ['null beside the word of an envelope', { player: null, balances: null, status: 'ok' }],
  ])('a player is unknown by %s', (_, entry) =>
    expect(readings([{ player_email: 'a@x.example', ...entry }])).toEqual({ 'a@x.example': 'unknown' }),
  );

  test('a list of unknown players names some for which Invo reports another error', () =>
    expect(readings({ not_found: ['a@x.example', { email: 'b@x.example', error_code: 'TIMEOUT' }] })).toEqual({
      'a@x.example': 'unknown',
      'b@x.example': 'unreadable TIMEOUT',
    }));

  test('an empty list answers nobody', () => expect(readings([])).toEqual({}));
});

describe('what can’t be read is never a balance, and never 0', () => {
  test.each<[string, object, string]>([
    ['a JSON number', wallet('a@x.example', held(1.5)), 'unreadable amount'],
    ['text that is no amount', wallet('a@x.example', held('1,50')), 'unreadable amount'],
    ['an amount that is missing', wallet('a@x.example', { currency_id: 311 }), 'unreadable amount'],
    ['a reserved amount that is a number', wallet('a@x.example', { ...held('1.00'), reserved_balance: 3 }), 'unreadable amount'],
    ['no list of balances', { player: { player_email: 'a@x.example' } }, 'unreadable no_balances'],
    ['an error of another kind', { player_email: 'a@x.example', error_code: 'TRY_LATER' }, 'unreadable TRY_LATER'],
    [
      'nobody with an error of another kind',
      { player_email: 'a@x.example', player: null, balances: null, error_code: 'INTERNAL_ERROR' },
      'unreadable INTERNAL_ERROR',
    ],
    [
      'nobody with an error in words',
      { player_email: 'a@x.example', player: null, balances: null, error: 'Please try later.' },
      'unreadable refused',
    ],
    ['nobody found because of an error', { player_email: 'a@x.example', found: false, error_code: 'TIMEOUT' }, 'unreadable TIMEOUT'],
    ['nobody found for a reason of another kind', { player_email: 'a@x.example', found: false, reason: 'TIMEOUT' }, 'unreadable TIMEOUT'],
    ['no currency', { player_email: 'a@x.example', error_code: 'CURRENCY_NOT_FOUND' }, 'unreadable CURRENCY_NOT_FOUND'],
    ['no game', { player_email: 'a@x.example', error: { code: 'GAME_NOT_FOUND' } }, 'unreadable GAME_NOT_FOUND'],
    ['an error beside a wallet of no currency', { ...wallet('a@x.example'), error_code: 'INTERNAL_ERROR' }, 'unreadable INTERNAL_ERROR'],
    ['a wallet of no currency', wallet('a@x.example'), 'empty'],
    ['a wallet with words that are no error', { ...wallet('a@x.example'), status: 'active', code: 'LUM', error: null }, 'empty'],
  ])('%s', (_, entry, expected) => expect(readings([entry])).toEqual({ 'a@x.example': expected }));

  test('an entry under the email of another player', () =>
    expect(readings({ 'a@x.example': wallet('b@x.example', held('1.00')) })).toEqual({ 'a@x.example': 'unreadable other_player' }));
});

test('a player who comes twice counts once, with the later figure', () => {
  const read = parseBatchAnswer([wallet('a@x.example', held('1.00')), wallet('A@x.example', held('2.00'))]);
  expect(read?.repeatedCount).toBe(1);
  expect(read?.answers.get('a@x.example')).toMatchObject({ wallet: { balances: [{ available: '2.00' }] } });
});

test('flat entries of a player are one wallet, unless one of them can’t be read, in whatever order they come', () => {
  const flat = (id: number, available: unknown): object => ({ player_email: 'a@x.example', ...held(available, `Coin ${id}`, id) });
  expect(readings([flat(311, '1.00'), flat(318, '2.00')])).toEqual({ 'a@x.example': '1.00 Coin 311 + 2.00 Coin 318' });
  expect(readings([flat(311, '1.00'), flat(318, 2)])).toEqual({ 'a@x.example': 'unreadable amount' });
  expect(readings([flat(318, 2), flat(311, '1.00')])).toEqual({ 'a@x.example': 'unreadable amount' });
});

test.each<[string, unknown, object]>([
  ['a wallet', wallet('a@x.example', held('1.00')), { kind: 'wallet', isFlat: false }],
  ['one currency of a wallet', { player_id: 7, currency_id: 311, available_balance: '1.00' }, { kind: 'wallet', isFlat: true }],
  ['a wallet without an email', { player_id: 7, balances: [held('1.00')] }, { kind: 'wallet' }],
  ['a wallet of nobody', { balances: [held('1.00')] }, { kind: 'unreadable' }],
  ['a wallet with a number', wallet('a@x.example', held(1)), { kind: 'unreadable' }],
  ['null', null, { kind: 'unreadable' }],
  ['an object of another kind', { hello: 'there' }, { kind: 'unreadable' }],
  ['a heartbeat', { type: 'heartbeat' }, { kind: 'aside', count: null, error: null }],
  ['a trailer', { count: 12 }, { kind: 'aside', count: 12 }],
  ['what surrounds a list', { results: null, total_count: 3, pagination: { has_more: true } }, { kind: 'aside', count: 3, hasMore: true }],
  ['an error', { error: 'Something went wrong.', error_code: 'INTERNAL_ERROR' }, { kind: 'aside', error: 'INTERNAL_ERROR' }],
])('a record of the stream: %s', (_, value, expected) => expect(parseStreamRecord(value)).toMatchObject(expected));

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber, parseExactJson } from '#lib/core/exact-json.ts';
import {
  type AnswerTree,
  findRecord,
  firstList,
  firstOf,
  hasMoreRows,
  idOf,
  isFields,
  jsonOf,
  maskPhone,
  moneyOf,
  readTree,
} from './lenient.ts';

function treeOf(json: unknown): AnswerTree {
  const reading = readTree(json);
  if (!reading.isSound) throw new Error(reading.reason);
  return reading.value;
}

describe('the tree of an answer', () => {
  test('has no secret under any of the names the documents give them', () => {
    const secrets =
      'token device_code user_code claim_code code checkout_url url client_secret client_side_key otp sms_pin pin test_code game_secret access_token';
    for (const name of secrets.split(' '))
      expect(treeOf({ kept: 'yes', [name]: 'canary', deep: [{ [name]: 'canary' }] })).toEqual({ kept: 'yes', deep: [{}] });
  });

  test('has no player’s name, and keeps the names of things', () => {
    expect(treeOf({ player_name: 'Bree', source_player_name: 'Asa', item_name: 'Lantern', currency_name: 'Lumens' })).toEqual({
      item_name: 'Lantern',
      currency_name: 'Lumens',
    });
  });

  test('keeps codes and addresses that are none', () => {
    const kept = { error_code: 'X', failure_code: 'card_declined', currency_code: 'LUM', art_url: 'https://a.example/x.png', status: 'ok' };
    expect(treeOf(kept)).toEqual(kept);
  });

  test('masks emails and phones, under any name and as a name', () => {
    expect(
      treeOf({
        player_email: 'bree.okoro@players.example',
        note: 'write to a@b.example',
        to_phone: '+4915112345678',
        phone_number: 4915112345678,
      }),
    ).toEqual({
      player_email: 'b•••@p•••.example',
      note: 'write to a•••@b•••.example',
      to_phone: '•••• 78',
      phone_number: '•••• 78',
    });
    expect(treeOf({ 'bree@players.example': { balance: '1.00' }, caller: '+49 151 123456', guardian_phone: '0151 1234567' })).toEqual({
      'b•••@p•••.example': { balance: '1.00' },
      caller: '•••• 56',
      guardian_phone: '•••• 67',
    });
    expect(treeOf({ message: 'Code sent to +15551234567, again in 30 s', number: '15551234567', order_id: '15551234567' })).toEqual({
      message: 'Code sent to •••• 67, again in 30 s',
      number: '•••• 67',
      order_id: '15551234567',
    });
    expect(JSON.stringify(treeOf({ q: 'a%40b.example' }))).not.toContain('%40');
  });

  test('read again from what was stored is the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const tree = treeOf(json);
        expect(treeOf(JSON.parse(JSON.stringify(tree)))).toEqual(JSON.parse(JSON.stringify(tree)));
      }),
    );
    expect(maskPhone(maskPhone('+4915112345678'))).toBe('•••• 78');
  });

  test('too deep, too large or with an endless text is refused, not cut', () => {
    let deep: unknown = 1;
    for (let at = 0; at < 40; at += 1) deep = [deep];
    for (const json of [deep, Array.from({ length: 250_001 }, () => 0), 'x'.repeat(20_001)]) expect(readTree(json).isSound).toBe(false);
  });

  test('is not changed by a name that means something to JavaScript', () => {
    const tree = treeOf(JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}'));
    expect(Object.keys(tree as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('what is found by name', () => {
  test('a record is the outermost that names the id, as text or number, wherever it is', () => {
    const found = (json: unknown, asked: string) => findRecord(jsonOf(json), ['order_id'], asked)?.own[0] ?? null;
    expect(found({ data: { purchase: { order_id: 7, status: 'completed' } } }, '7')).toMatchObject({ status: 'completed' });
    expect(found([{ id: 'a' }, { id: 'b', n: 1 }], 'b')).toMatchObject({ n: 1 });
    expect(found({ order_id: 'other' }, 'mine')).toBeNull();
  });

  test('a field of the record comes before the same field around it', () => {
    const found = findRecord(jsonOf({ status: 'success', order: { order_id: 'a', status: 'failed' } }), ['order_id'], 'a');
    expect(firstOf([...(found?.own ?? []), ...(found?.around ?? [])], ['status'])).toBe('failed');
  });

  test('the first list of objects counts, an empty one where there is no other, and none is null', () => {
    expect(firstList(jsonOf({ tags: ['a'], data: { rows: [{ x: 1 }] } }))).toEqual([{ x: 1 }]);
    expect(firstList(jsonOf({ items: [] }))).toEqual([]);
    expect(firstList(jsonOf({ items: 'none' }))).toBeNull();
  });

  test('an amount is decimal text only, and an id a whole number or text', () => {
    expect([moneyOf('12.50'), moneyOf(12.5), moneyOf('1e3'), moneyOf(undefined)]).toEqual(['12.50', null, null, null]);
    expect([idOf(7), idOf('x'), idOf(7.5), idOf(''), idOf(9007199254740993)]).toEqual(['7', 'x', null, null, null]);
  });
});

test.each(['12.00', '1e400', '123456789012345678901', '-0', '0.1000000000000000055511151231257827', '1E-7'])(
  'the number %s is read, stored and read again with its digits, and is no amount',
  (token) => {
    const read = (text: string) => {
      const reading = readTree(parseExactJson(text));
      if (!reading.isSound || !isFields(reading.value)) throw new Error('not sound');
      return reading.value;
    };
    const tree = read(`{"usd_amount":${token},"phone":${token},"list":[${token}],"count":7,"text":"12.00"}`);
    expect(tree['usd_amount']).toEqual(new ExactNumber(token));
    expect(moneyOf(tree['usd_amount'])).toBeNull();
    expect(tree['phone']).toMatch(/^••••/);
    const stored = JSON.stringify(tree);
    expect(stored).toContain(`"usd_amount":${token},`);
    expect(stored).toContain(`"list":[${token}],"count":7,"text":"12.00"`);
    expect(read(stored)).toEqual(tree);
  },
);

test('a whole number too large for JavaScript is an id with all its digits, and a fraction is none', () => {
  expect(idOf(new ExactNumber('123456789012345678901'))).toBe('123456789012345678901');
  for (const digits of ['12.00', '1e400', '-0']) expect(idOf(new ExactNumber(digits))).toBeNull();
  expect(isFields(new ExactNumber('12.00'))).toBe(false);
});

test.each([
  [true, { data: { pagination: { has_more: true }, items: [] } }],
  [false, { pagination: { has_more: false }, items: [] }],
  [true, { has_more: true, items: [] }],
  [true, { data: { has_more: true, items: [{ id: 1 }] } }],
  [true, { items: [{ id: 1 }], next_cursor: 'c2' }],
  [true, { items: [{ id: 1 }], meta: { next_cursor: 'c2' } }],
  [true, { items: [{ id: 1 }], pagination: { total_count: 120, limit: 50 } }],
  [true, { items: [{ id: 1 }], total_count: 2 }],
  [false, { items: [{ id: 1 }], has_more: false, next_cursor: null, total_count: 1 }],
  [false, { items: [{ id: 1 }], next_cursor: '' }],
  [false, { items: [{ id: 1, has_more: true, total_count: 9, next_cursor: 'x', pagination: { has_more: true } }] }],
  [false, []],
])('a list has more rows (%s) where what holds it says so: %j', (hasMore, body) => {
  expect(hasMoreRows(jsonOf(body), firstList(jsonOf(body))?.length ?? 0)).toBe(hasMore);
});

import { describe, expect, test } from 'vitest';
import { ExactNumber, parseExactJson } from '#lib/core/exact-json.ts';
import { idOf, isFields, jsonOf, moneyOf, parseAnswerTree } from '../shapes/answer-tree.ts';
import { findRecord, firstList, firstOf, hasMoreRows } from './find-in-answer.ts';

describe('what is found by name', () => {
  test('a record is the outermost that names the id, as text or number, wherever it is', () => {
    const found = (json: unknown, requested: string) => findRecord(jsonOf(json), ['order_id'], requested)?.own[0] ?? null;
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
      const reading = parseAnswerTree(parseExactJson(text));
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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber } from '#lib/core/exact-json.ts';
import { type AnswerTree, idOf, isFields, maskPhone, parseAnswerTree } from './answer-tree.ts';

function treeOf(json: unknown): AnswerTree {
  const reading = parseAnswerTree(json);
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

  test('has no player’s name, but the names of things', () => {
    expect(treeOf({ player_name: 'Bree', source_player_name: 'Asa', item_name: 'Lantern', currency_name: 'Lumens' })).toEqual({
      item_name: 'Lantern',
      currency_name: 'Lumens',
    });
  });

  test('has codes and addresses that aren’t secret', () => {
    const shown = {
      error_code: 'X',
      failure_code: 'card_declined',
      currency_code: 'LUM',
      art_url: 'https://a.example/x.png',
      status: 'ok',
    };
    expect(treeOf(shown)).toEqual(shown);
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
    for (let index = 0; index < 40; index += 1) deep = [deep];
    for (const json of [deep, Array.from({ length: 250_001 }, () => 0), 'x'.repeat(20_001)])
      expect(parseAnswerTree(json).isSound).toBe(false);
  });

  test('is not changed by a name that means something to JavaScript', () => {
    const tree = treeOf(JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}'));
    expect(Object.keys(tree as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a whole number too large for JavaScript is an id with all its digits, and a fraction is none', () => {
  expect(idOf(new ExactNumber('123456789012345678901'))).toBe('123456789012345678901');
  for (const digits of ['12.00', '1e400', '-0']) expect(idOf(new ExactNumber(digits))).toBeNull();
  expect(isFields(new ExactNumber('12.00'))).toBe(false);
});

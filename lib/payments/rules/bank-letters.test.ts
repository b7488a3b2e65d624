import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { type BankAlphabet, writeBankLetters } from './bank-letters.ts';

const EPC = /^[A-Za-z0-9/\-?:().,'+ ]*$/;
const NACHA = /^[A-Z0-9/\-().,'& ]*$/;

describe('letters of a bank', () => {
  test.each<[string, string, string]>([
    ['Mira Vale', 'Mira Vale', 'MIRA VALE'],
    ['Jürgen Groß', 'Jurgen Gross', 'JURGEN GROSS'],
    ['Zoë O’Neill', "Zoe O'Neill", "ZOE O'NEILL"],
    ['Ødegård & Søn, Æbelø', 'Odegard + Son, Aebelo', 'ODEGARD & SON, AEBELO'],
    ['Łukasz Žižek', 'Lukasz Zizek', 'LUKASZ ZIZEK'],
    ['Đorđe Þór', 'Dorde Thor', 'DORDE THOR'],
    ['İstanbul ışık', 'Istanbul isik', 'ISTANBUL ISIK'],
    ['Nguyễn Đăng Ơn', 'Nguyen Dang On', 'NGUYEN DANG ON'],
    ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoulos', 'GIORGOS PAPADOPOULOS'],
    ['ΟΥΡΑΝΙΑ Ούτου, Οϋζ', 'OURANIA Outou, Oyz', 'OURANIA OUTOU, OYZ'],
    ['Жечка Йорданова', 'Zhechka Yordanova', 'ZHECHKA YORDANOVA'],
    ['Олексій Їжак', 'Oleksiy Yizhak', 'OLEKSIY YIZHAK'],
    ['Љубица Ђокић', 'Ljubitsa Djokic', 'LJUBITSA DJOKIC'],
    ['ＡＢＣ ﬁnance', 'ABC finance', 'ABC FINANCE'],
    ['a  b   c ', 'a b c', 'A B C'],
    ['Tom “the” Cat – No. 1', "Tom 'the' Cat - No. 1", "TOM 'THE' CAT - NO. 1"],
    ['A_B;C|D\\E@F', 'A-B,C/D/E(at)F', 'A-B,C/D/E(AT)F'],
    ['Sum: 1+1?', 'Sum: 1+1?', ''],
  ])('write %j as %j, in ACH as %j', (typed, epc, nacha) => {
    expect(writeBankLetters(typed, 'epc')).toEqual({ text: epc, unwritten: [] });
    if (nacha !== '') expect(writeBankLetters(typed, 'nacha')).toEqual({ text: nacha, unwritten: [] });
  });

  test.each<[string, string, string[]]>([
    ['Mira 株式会社', 'Mira', ['株', '式', '会', '社']],
    ['محمد', '', ['م', 'ح', 'د']],
    ['שלום Levi', 'Levi', ['ש', 'ל', 'ו', 'ם']],
    ['Mira 😀😀', 'Mira', ['😀']],
    ['Mira\u202eelaV', 'MiraelaV', ['\u202e']],
    ['Mira\tVale\r\n', 'MiraVale', ['\t', '\r', '\n']],
    ['Mira\u0000', 'Mira', ['\u0000']],
    ['€5 <b> #1', '5 b 1', ['€', '<', '>', '#']],
    ['\u0301a', 'a', ['\u0301']],
    ['\ud800x', 'x', ['\ud800']],
  ])('report what can’t be written of %j', (typed, text, unwritten) => {
    expect(writeBankLetters(typed, 'epc')).toEqual({ text, unwritten });
  });

  test('of a file in UTF-8 are written unchanged, except for control and format characters', () => {
    expect(writeBankLetters(' محمد שלום 株 Zoë O’Neill 😀 ', 'unicode')).toEqual({ text: 'محمد שלום 株 Zoë O’Neill 😀', unwritten: [] });
    expect(writeBankLetters('علی\u200cرضا', 'unicode').unwritten).toEqual([]);
    expect(writeBankLetters('a\u202eb\u0007c\nd\ud800\u2028', 'unicode')).toEqual({
      text: 'abcd',
      unwritten: ['\u202e', '\u0007', '\n', '\ud800', '\u2028'],
    });
  });

  test.each<[BankAlphabet, RegExp]>([
    ['epc', EPC],
    ['nacha', NACHA],
  ])('%s has no other letters for any text, and writes what it wrote unchanged', (alphabet, letters) => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 60 }), (typed) => {
        const { text } = writeBankLetters(typed, alphabet);
        expect(text).toMatch(letters);
        expect(writeBankLetters(text, alphabet).text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('lose nothing: a letter is in the text or reported', () => {
    const alone = fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 1 }).filter((letter) => !/^\p{Zs}$/u.test(letter));
    fc.assert(
      fc.property(alone, (letter) => {
        const { text, unwritten } = writeBankLetters(letter, 'epc');
        expect(text === '').toBe(unwritten.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });
});

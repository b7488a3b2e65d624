import { describe, expect, test } from 'vitest';
import { formatAddressError, formatAddressList } from '../text.ts';
import { ADDRESSES_MAX, FILE_BYTES_MAX, LINES_NAMED_MAX } from './address-list.ts';
import { parseAddresses } from './parse-addresses.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const emailsIn = (text: string): string[] | string => {
  const read = parseAddresses(bytes(text));
  return read.ok ? read.list.addresses.map(({ email }) => email) : read.error.kind;
};

test.each<[string, string, string[]]>([
  ['a header called player_email', 'player_email\r\nana@players.example\r\n', ['ana@players.example']],
  ['a BOM and semicolons', '\ufeffname;player_email\r\nAna;ana@players.example\r\n', ['ana@players.example']],
  ['no header and no last line end', 'ana@players.example\nben@players.example', ['ana@players.example', 'ben@players.example']],
  ['line ends of an old Mac', 'ana@players.example\rben@players.example\r', ['ana@players.example', 'ben@players.example']],
  ['a usual header in the first column', 'E-mail,name\nana@players.example,Ana\n', ['ana@players.example']],
  [
    'quoted cells with separators, quotes and line ends',
    '"a,""b""\nc",player_email\n"x;\ny",ana@players.example\n',
    ['ana@players.example'],
  ],
  ['spaces around an address', '  ana@players.example \n', ['ana@players.example']],
  ['empty lines, and lines of separators only', '\n\nana@players.example\n;;\n', ['ana@players.example']],
  ['a header called email in another column', 'name,Email\nAna,ana@players.example\n', ['ana@players.example']],
  [
    'player_email beside another column called email',
    'email,player_email\nx@players.example,ana@players.example\n',
    ['ana@players.example'],
  ],
  ['other emails under a heading', 'player_email,guardian\nana@players.example,mum@players.example\n', ['ana@players.example']],
  ['the same email in two columns', 'ana@players.example,ANA@players.example\n', ['ana@players.example']],
  ['other columns without a header', 'ana@players.example,Ana,12\n', ['ana@players.example']],
  ['a domain without a dot and a first character of a formula', 'a@b\n=1+1@players.example\n', ['a@b', '=1+1@players.example']],
  [
    'a plus, a slash and letters of other alphabets',
    'a+b/c@players.example\nжанна@players.example\n',
    ['a+b/c@players.example', 'жанна@players.example'],
  ],
])('an address list may have %s', (_, text, emails) => {
  expect(emailsIn(text)).toEqual(emails);
});

test('two spellings of one address are requested once, and both lines show theirs', () => {
  const read = parseAddresses(bytes('player_email\nAna@Players.example\nben@players.example\n ana@players.EXAMPLE\n'));
  expect(read).toEqual({
    ok: true,
    list: {
      addresses: [
        { email: 'Ana@Players.example', lines: [2, 4], spellings: ['Ana@Players.example', 'ana@players.EXAMPLE'] },
        { email: 'ben@players.example', lines: [3], spellings: ['ben@players.example'] },
      ],
      lineCount: 3,
      repeated: { lines: [4], count: 1 },
    },
  });
});

const errorIn = (text: string): string => {
  const read = parseAddresses(bytes(text));
  return read.ok ? 'no error' : formatAddressError(read.error);
};

describe('every line that is refused is named by its number', () => {
  test.each<[string, number[]]>([
    ['ana\nben@players.example\n', [1]],
    ['player_email\nana@players.example\n\nnobody at players.example\n', [4]],
    ['ana@players.example\na b@players.example\nben@@players.example\nana@\n@players.example\n', [2, 3, 4, 5]],
    ['name,player_email\n"two\nlines",ana@players.example\nBen\nCleo,cleo\n', [4, 5]],
    ['email,ana@players.example\n', [1]],
    [`${'a'.repeat(129)}@players.example\n`, [1]],
    [`a@${'b'.repeat(253)}\n`, [1]],
    ['ana@players.example\u0000\n', [1]],
    ['ana@players.example ben@players.example\nana@players.example\tben@players.example\n', [1, 2]],
    ['=HYPERLINK("x")\n', [1]],
  ])('%j', (text, lines) => {
    const none = { lines: [], count: 0 };
    const error = { kind: 'lines', notEmails: { lines, count: lines.length }, secondEmails: none, openQuote: null };
    expect(parseAddresses(bytes(text))).toEqual({ ok: false, error });
  });

  test.each<[string, number[]]>([
    ['ana@players.example,ben@players.example\n', [1]],
    ['ana@players.example;Ana;ben@players.example\ncleo@players.example;Cleo\ndan@players.example;;eve@players.example', [1, 3]],
    ['player_email\nana@players.example,ben@players.example\n', [2]],
    ['player_email,\nana@players.example,ben@players.example\n', [2]],
  ])('a second email in a column without a heading: %j', (text, lines) => {
    expect(parseAddresses(bytes(text))).toMatchObject({
      ok: false,
      error: { kind: 'lines', secondEmails: { lines, count: lines.length } },
    });
  });

  test('all kinds at once, in a sentence each', () => {
    expect(errorIn('nobody\nana@players.example,ben@players.example\nx\n"open\n')).toBe(
      'These lines aren’t emails: 1, 3. Line 2 has a second email in a column without a heading. Put one email on each line, or name the columns in the first line: player_email is read. A quote on line 4 isn’t closed, so nothing after it was checked. Correct them and try again. No request was sent to Invo.',
    );
    expect(errorIn('nobody')).toBe('Line 1 isn’t an email. Correct it and try again. No request was sent to Invo.');
  });

  test('twenty at most, with their count', () => {
    const read = parseAddresses(bytes('x\n'.repeat(500)));
    expect(read).toMatchObject({ ok: false, error: { kind: 'lines', notEmails: { count: 500 } } });
    expect(read.ok || read.error.kind !== 'lines' ? [] : read.error.notEmails.lines).toHaveLength(LINES_NAMED_MAX);
    expect(errorIn('x\n'.repeat(22))).toContain('18, 19, 20 and 2 more.');
  });
});

test('lines that repeat an earlier email are named', () => {
  const described = (text: string): string => {
    const read = parseAddresses(bytes(text));
    return read.ok ? formatAddressList(read.list) : read.error.kind;
  };
  expect(described('ana@players.example')).toBe('1 line with 1 email.');
  expect(described('player_email\nana@players.example\nben@players.example\nANA@players.example')).toBe(
    '3 lines with 2 emails. Line 4 repeats an earlier email, which is read once and listed on each of its lines.',
  );
  expect(described('ana@players.example\n'.repeat(23))).toBe(
    '23 lines with 1 email. These lines repeat earlier emails, which are read once and listed on each of their lines: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 2 more.',
  );
});

test.each<[string, Uint8Array, string]>([
  ['nothing', bytes(''), 'empty'],
  ['only a header', bytes('player_email\r\n'), 'empty'],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x40, 0x00]), 'not_utf8'],
  ['Latin-1', Uint8Array.from([0xe9, 0x40, 0x61]), 'not_utf8'],
  ['a quote that never closes', bytes('player_email\n"ana@players.example\n'), 'lines'],
  ['text after a closing quote', bytes('"ana"@players.example\n'), 'lines'],
  ['a byte more than the largest file', new Uint8Array(FILE_BYTES_MAX + 1).fill(0x61), 'too_large'],
])('a file with %s is refused', (_, file, kind) => {
  expect(parseAddresses(file)).toMatchObject({ ok: false, error: { kind } });
});

describe('a hostile file is refused by its lines', () => {
  test.each<[string, string, string]>([
    [
      'a quote that is never closed',
      'ana@players.example\r\n"ben@players.example\r\nx',
      'A quote on line 2 isn’t closed, so nothing after it was checked.',
    ],
    [
      'a quote that is closed before a NUL',
      '"ana@players.example"\u0000\n',
      'A quote on line 1 isn’t closed, so nothing after it was checked.',
    ],
    ['a quote in the middle', 'ana@players.example\nb"e n"@players.example\n', 'Line 2 isn’t an email.'],
    ['a line end within quotes', '"Ana\r\n",x\r\n"ben@\r\nplayers.example"\r\nx', 'These lines aren’t emails: 1, 3, 5.'],
    ['a NUL', 'ana@players.example\nben\u0000@players.example', 'Line 2 isn’t an email.'],
    ['a million commas', `ana@players.example\n${','.repeat(1_000_000)}x`, 'Line 2 isn’t an email.'],
  ])('%s', (_, text, sentence) => {
    expect(errorIn(text).startsWith(`${sentence} Correct `)).toBe(true);
  });
});

test('one hundred thousand addresses are read, and one more is refused by its line', { tags: ['proof'] }, () => {
  const lines = Array.from({ length: ADDRESSES_MAX }, (_, index) => `p${index}@players.example`);
  const read = parseAddresses(bytes(lines.join('\n')));
  expect(read.ok && read.list.addresses.length).toBe(ADDRESSES_MAX);
  expect(read.ok && read.list.addresses.at(-1)?.lines).toEqual([ADDRESSES_MAX]);
  for (const more of ['one-more@players.example', 'p7@players.example', 'x'])
    expect(parseAddresses(bytes(['player_email', ...lines, more].join('\n')))).toEqual({
      ok: false,
      error: { kind: 'too_many', line: ADDRESSES_MAX + 2 },
    });
  expect(errorIn([...lines, 'one-more@players.example'].join('\n'))).toContain('line 100,001 is the first one too many.');
});

import { describe, expect, test } from 'vitest';
import { ADDRESSES_MAX, FILE_BYTES_MAX, LINES_NAMED_MAX, parseAddresses } from './parse-addresses.ts';

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
  [
    'a plus, a slash and letters of other alphabets',
    'a+b/c@players.example\nжанна@players.example\n',
    ['a+b/c@players.example', 'жанна@players.example'],
  ],
])('an address list may have %s', (_, text, emails) => {
  expect(emailsIn(text)).toEqual(emails);
});

test('two spellings of one address are asked once, and both lines keep theirs', () => {
  const read = parseAddresses(bytes('player_email\nAna@Players.example\nben@players.example\n ana@players.EXAMPLE\n'));
  expect(read).toEqual({
    ok: true,
    list: {
      addresses: [
        { email: 'Ana@Players.example', lines: [2, 4], spellings: ['Ana@Players.example', 'ana@players.EXAMPLE'] },
        { email: 'ben@players.example', lines: [3], spellings: ['ben@players.example'] },
      ],
      lineCount: 3,
      repeatedCount: 1,
    },
  });
});

describe('lines that are no address are named by their numbers', () => {
  test.each<[string, number[]]>([
    ['ana\nben@players.example\n', [1]],
    ['player_email\nana@players.example\n\nnobody at players.example\n', [4]],
    ['ana@players.example\na b@players.example\nben@@players.example\nana@\n@players.example\n', [2, 3, 4, 5]],
    ['name,player_email\n"two\nlines",ana@players.example\nBen\nCleo,cleo\n', [4, 5]],
    [`${'a'.repeat(129)}@players.example\n`, [1]],
    [`a@${'b'.repeat(253)}\n`, [1]],
    ['ana@players.example\u0000\n', [1]],
    ['=HYPERLINK("x")\n', [1]],
  ])('%j', (text, lines) => {
    expect(parseAddresses(bytes(text))).toEqual({ ok: false, error: { kind: 'not_addresses', lines, count: lines.length } });
  });

  test('twenty at most, with their count', () => {
    const read = parseAddresses(bytes('x\n'.repeat(500)));
    expect(read).toMatchObject({ ok: false, error: { kind: 'not_addresses', count: 500 } });
    expect(read.ok || read.error.kind !== 'not_addresses' ? [] : read.error.lines).toHaveLength(LINES_NAMED_MAX);
  });
});

test.each<[string, Uint8Array, string]>([
  ['nothing', bytes(''), 'empty'],
  ['only a header', bytes('player_email\r\n'), 'empty'],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x40, 0x00]), 'not_utf8'],
  ['Latin-1', Uint8Array.from([0xe9, 0x40, 0x61]), 'not_utf8'],
  ['a quote that never closes', bytes('player_email\n"ana@players.example\n'), 'open_quote'],
  ['text after a closing quote', bytes('"ana"@players.example\n'), 'open_quote'],
  ['a byte more than the largest file', new Uint8Array(FILE_BYTES_MAX + 1).fill(0x61), 'too_large'],
])('a file with %s is refused', (_, file, kind) => {
  expect(parseAddresses(file)).toMatchObject({ ok: false, error: { kind } });
});

test('one hundred thousand addresses are read, and one more is refused', () => {
  const lines = Array.from({ length: ADDRESSES_MAX }, (_, at) => `p${at}@players.example`);
  const read = parseAddresses(bytes(lines.join('\n')));
  expect(read.ok && read.list.addresses.length).toBe(ADDRESSES_MAX);
  expect(read.ok && read.list.addresses.at(-1)?.lines).toEqual([ADDRESSES_MAX]);
  for (const more of ['one-more@players.example', 'p7@players.example', 'x'])
    expect(parseAddresses(bytes(['player_email', ...lines, more].join('\n')))).toEqual({ ok: false, error: { kind: 'too_many' } });
});

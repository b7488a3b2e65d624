import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipParts } from '#e2e/support/packs/change-pack.ts';
import { type OpenPack, openPack, PackError } from './open-pack.ts';
import { CLOSING_COLUMNS, snapshotFile } from './rules/pack-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'open-pack-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(bytes: Buffer): Promise<OpenPack> {
  const file = path.join(folder, 'pack.zip');
  await writeFile(file, bytes);
  return await openPack(file);
}

/** Why a file is refused, opened and read to its end; none: it isn't. */
async function refusalOf(bytes: Buffer): Promise<string | null> {
  try {
    const pack = await open(bytes);
    for (const name of pack.sizes.keys()) await pack.read(name);
    pack.close();
    return null;
  } catch (error) {
    if (error instanceof PackError) return error.message;
    throw error;
  }
}

const zip = (parts: Record<string, string | Buffer>, compress = false): Promise<Buffer> =>
  zipParts(
    Object.entries(parts).map(([name, content]) => [name, Buffer.from(content)]),
    { compress },
  );

/** The bytes with each occurrence of one name replaced by another of the same length. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

/** The bytes with a number written at an offset from the first or last occurrence of a signature. */
function written(bytes: Buffer, signature: number, offset: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(signature);
  changed.writeUInt32LE(value, changed.lastIndexOf(mark) + offset);
  return changed;
}

const DIRECTORY = 0x02014b50;
const END = 0x06054b50;

describe('a hostile file', () => {
  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['is empty', async () => Buffer.alloc(0), /can’t be read as a ZIP/],
    ['is no ZIP', async () => Buffer.from('<html>no pack</html>'), /can’t be read as a ZIP/],
    ['is truncated', async () => (await zip({ 'a.txt': 'x'.repeat(5_000) })).subarray(0, 3_000), /can’t be read as a ZIP/],
    ['lacks its first half', async () => (await zip({ 'a.txt': 'x'.repeat(5_000) })).subarray(2_500), /can’t be read as a ZIP/],
    ['has a path outside', async () => renamed(await zip({ 'abc/abc.txt': '1' }), 'abc/abc.txt', '../../a.txt'), /a path that no pack has/],
    ['has an absolute path', async () => renamed(await zip({ 'abc.txt': '1' }), 'abc.txt', '/bc.txt'), /a path that no pack has/],
    ['has a path with a backslash', async () => renamed(await zip({ 'abc.txt': '1' }), 'abc.txt', 'a\\c.txt'), /a path that no pack has/],
    ['has a hidden file', async () => zip({ '.env': '1' }), /has the path "\.env", which no pack has/],
    [
      'has a folder with a path outside',
      async () => renamed(await zip({ 'abc.txt': '' }), 'abc.txt', '../tmp/'),
      /a path that no pack has/,
    ],
    ['has a folder with bytes', async () => renamed(await zip({ 'abc.txt': 'x' }), 'abc.txt', 'abc.tx/'), /which no pack has/],
    ['has a path that is too long', async () => zip({ [`${'a'.repeat(300)}.csv`]: '1' }), /which no pack has/],
    ['has an entry twice', async () => renamed(await zip({ 'a.txt': '1', 'b.txt': '2' }), 'b.txt', 'a.txt'), /the entry a\.txt twice/],
    ['is a bomb', async () => zip({ 'a.txt': Buffer.alloc(4 * 1024 * 1024) }, true), /larger than its file can hold/],
    [
      'is a bomb of many entries',
      async () => zip(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.txt`, Buffer.alloc(400_000)])), true),
      /larger than its file can hold/,
    ],
    [
      'has an entry that is too large',
      async () => written(await zip({ 'a.txt': 'x'.repeat(9_000) }, true), DIRECTORY, 24, 65 * 1024 * 1024),
      /a\.txt is larger than a pack’s can be/,
    ],
    ['has entries that overlap', async () => overlapping(), /larger than its file can hold/],
    [
      'states a smaller size than an entry inflates to',
      async () => written(await zip({ 'a.txt': 'x'.repeat(9_000) }, true), DIRECTORY, 24, 10),
      /can’t be read as a ZIP/,
    ],
    [
      'states an offset behind its end',
      async () => written(await zip({ 'a.txt': '1' }), DIRECTORY, 42, 1_000_000),
      /can’t be read as a ZIP/,
    ],
    ['states more entries than it has', async () => written(await zip({ 'a.txt': '1' }), END, 8, 0x00090009), /can’t be read as a ZIP/],
    ['is encrypted', async () => written(await zip({ 'a.txt': '1' }), DIRECTORY, 8, 0x00000001), /can’t be read as a ZIP/],
  ])('that %s is refused in a sentence', async (_, make, expected) => expect(await refusalOf(await make())).toMatch(expected));

  test('that isn’t there is refused in a sentence', async () => {
    await expect(openPack(path.join(folder, 'none.zip'))).rejects.toThrow(new PackError('There is no such file.'));
    await expect(openPack(folder)).rejects.toThrow(new PackError('It is a folder.'));
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['no ZIP', async () => Buffer.from('<html>no pack</html>')],
    ['a truncated ZIP', async () => (await zip({ 'a.txt': 'x'.repeat(5_000) })).subarray(0, 3_000)],
    ['an encrypted one', async () => written(await zip({ 'a.txt': '1' }), DIRECTORY, 8, 0x00000001)],
  ])('that is %s is refused in words of Sharebook', async (_, make) => {
    expect(await refusalOf(await make())).toBe('It can’t be read as a ZIP: it is none, is encrypted or damaged, or ends too early.');
  });

  test('of changed bytes is read or refused, and never ends the process', async () => {
    const whole = await zip({ 'pack.json': '{}', 'run/lines.csv': 'a,b\r\n1,2\r\n', 'audit.json': '[]' }, true);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [position, value] of changes) bytes[position] = value;
        const refusal = await refusalOf(bytes);
        expect(refusal === null || refusal.length > 10).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

/** Twenty entries of a directory that share the bytes of one. */
async function overlapping(): Promise<Buffer> {
  const one = await zip({ '00.txt': 'x'.repeat(2_000) });
  const start = one.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const end = one.indexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries = Array.from({ length: 20 }, (_, index) =>
    renamed(one.subarray(start, end), '00.txt', `${String(index).padStart(2, '0')}.txt`),
  );
  const tail = Buffer.from(one.subarray(end));
  tail.writeUInt16LE(20, 8);
  tail.writeUInt16LE(20, 10);
  tail.writeUInt32LE((end - start) * 20, 12);
  return Buffer.concat([one.subarray(0, start), ...entries, tail]);
}

test('a pack that was unpacked and zipped again with its folders is read without them', async () => {
  const plain = await zip({ 'folder.txt': '', 'statements/1.csv': '1' });
  const pack = await open(renamed(plain, 'folder.txt', 'statement/'));
  expect([...pack.sizes.keys()]).toEqual(['statements/1.csv']);
  pack.close();
});

describe('an entry', () => {
  test.each<[string, string, RegExp]>([
    ['of other columns', 'recipient_player_id,closing\r\n1,2.00\r\n', /has other columns/],
    ['with a row of more cells', 'recipient_player_id,closing_usd\r\n1,2.00,3\r\n', /has other columns/],
    ['that ends within a row', 'recipient_player_id,closing_usd\r\n1,2', /is no CSV, or ends within a record/],
    ['with a row without an end', `recipient_player_id,closing_usd\r\n"${'x'.repeat(3_000_000)}`, /a row that is larger/],
    ['that is no text', 'recipient_player_id,closing_usd\r\n\xff\xfe', /is no CSV, or ends within a record/],
  ])('%s isn’t read as a CSV', async (_, text, expected) => {
    const pack = await open(await zip({ 'a.csv': Buffer.from(text, 'latin1') }));
    await expect(Array.fromAsync(pack.rows('a.csv', CLOSING_COLUMNS))).rejects.toThrow(expected);
    pack.close();
  });

  test.each<[string, string, RegExp]>([
    ['that is no JSON', '{', /is no JSON/],
    ['of another shape', '{"snapshot_id": "1"}', /has another shape: \w+/],
    ['that isn’t there', '', /has no entry b\.json/],
  ])('%s isn’t read as JSON', async (_, text, expected) => {
    const pack = await open(await zip(text === '' ? { 'a.json': '1' } : { 'b.json': text }));
    await expect(pack.json('b.json', snapshotFile)).rejects.toThrow(expected);
    pack.close();
  });
});

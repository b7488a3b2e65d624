import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadFile, makeFolder, saveFile } from './command-context.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'load-file-'));
  await writeFile(path.join(folder, 'a.csv'), '0123456789');
});
afterAll(() => rm(folder, { recursive: true }));

/** What is loaded, or what is printed in its place. */
async function load(name: string, bytesMax: number, input?: AsyncIterable<Uint8Array>): Promise<number | string> {
  const lines: string[] = [];
  const bytes = await loadFile({ log: (line) => void lines.push(line) }, name, { bytesMax, ...(input && { input }) });
  return bytes === null ? lines.join() : bytes.length;
}

test('a file is loaded whole up to its limit, and an endless one little beyond it', async () => {
  expect(await load(path.join(folder, 'a.csv'), 10)).toBe(10);
  expect(await load(path.join(folder, 'a.csv'), 4)).toBeGreaterThan(4);
  const zeros = await load('/dev/zero', 1_000_000);
  expect(zeros).toBeGreaterThan(1_000_000);
  expect(zeros).toBeLessThan(2_000_000);
});

test('stdin in place of a file is loaded by the same limit', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(400);
  }
  expect(await load('-', 1_000, endless())).toBe(1_200);
});

test('a file that can’t be read is named', async () => {
  expect(await load(path.join(folder, 'none.csv'), 10)).toMatch(/^There is no file .*none\.csv\.$/);
  expect(await load(folder, 10)).toMatch(/ can't be read\.$/);
});

test.each<[string, string, (name: string) => Promise<void>, RegExp]>([
  ['a missing folder', 'none/pack.zip', save, /^There is no folder .*none\.$/],
  ['a file in place of a folder', 'a.csv/pack.zip', save, /a\.csv is not a folder\.$/],
  ['a folder in place of a file', '', save, / is a folder\. Name a file with --out\.$/],
  ['a name that is too long', 'x'.repeat(300), save, /^The name of x{40}… is too long\.$/],
  ['a file in place of the folder to make', 'a.csv', makeFolder, /a\.csv is a file\. Name a folder with --out\.$/],
  ['a folder to make below a file', 'a.csv/files', makeFolder, /a\.csv is not a folder\.$/],
])('what can’t be written is named: %s', async (_, name, write, sentence) => {
  await expect(write(path.join(folder, name))).rejects.toThrow(sentence);
  expect(await readdir(folder)).toEqual(['a.csv']);
});

test('an error of what is written is no error of the file', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    throw new Error('run 7 was voided');
  }
  await expect(saveFile(path.join(folder, 'pack.zip'), { bytes: failing() })).rejects.toThrow('run 7 was voided');
});

async function save(name: string): Promise<void> {
  await saveFile(name, { bytes: ['x'], manifest: () => ({}) });
}

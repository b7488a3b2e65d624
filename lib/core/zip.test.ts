import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { unzip } from '#e2e/support/read-xlsx.ts';
import { writeZip, type ZipEntry } from './zip.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function writeWhole(entries: ZipEntry[], compress: boolean): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeZip(entries, { compress })));
}

/** Files of 100,000 random bytes without end. */
function endlessFiles(): { entries: AsyncGenerator<ZipEntry>; state: { made: number; isEnded: boolean } } {
  const state = { made: 0, isEnded: false };
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      for (;;) {
        state.made += 1;
        yield { name: `${state.made}.bin`, content: [randomBytes(100_000)] };
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { entries: entries(), state };
}

describe('a ZIP', () => {
  test.each([true, false])('holds each entry whole and in order, compressed: %j', async (compress) => {
    const entries = [
      { name: 'a.txt', content: 'short' },
      { name: 'b/c.csv', content: pieces('one\r\n', 'two\r\n', 'é') },
      { name: 'd.pdf', content: [Buffer.from('x'.repeat(200_000)), Buffer.from('y')] },
      { name: 'e.txt', content: '' },
    ];
    const files = unzip(await writeWhole(entries, compress));
    expect([...files].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['a.txt', 'short'],
      ['b/c.csv', 'one\r\ntwo\r\né'],
      ['d.pdf', `${'x'.repeat(200_000)}y`],
      ['e.txt', ''],
    ]);
  });

  test('is written no further than it is read', async () => {
    const { entries, state } = endlessFiles();
    const reader = writeZip(entries, { compress: true });
    await reader.next();
    let settled = -1;
    while (settled !== state.made) {
      settled = state.made;
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    }
    expect(settled).toBeLessThan(12);
    await reader.return(undefined);
    await expect.poll(() => state.isEnded).toBe(true);
  });

  test('ends with the error of an entry or of what lists them', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('the connection broke');
    }
    async function* list(): AsyncGenerator<ZipEntry> {
      yield { name: 'a', content: 'whole' };
      throw new Error('an entry is gone');
    }
    await expect(writeWhole([{ name: 'a', content: broken() }], true)).rejects.toThrow('the connection broke');
    await expect(Array.fromAsync(writeZip(list(), { compress: true }))).rejects.toThrow('an entry is gone');
  });
});

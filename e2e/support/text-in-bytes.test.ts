import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeZip } from '#lib/core/zip.ts';
import { textInBytes } from './text-in-bytes.ts';

async function* pieces(): AsyncGenerator<string> {
  yield 'witness';
}

test('a text is found in gzip, in zlib, in one inside the other, in a zip and in a piece of a file', async () => {
  const zip = await Array.fromAsync(writeZip([{ name: 'a.csv', content: pieces() }], { compress: true }));
  const text = Buffer.from('witness');
  const hidden = [text, gzipSync(text), deflateSync(text), gzipSync(deflateSync(text)), Buffer.concat(zip), gzipSync(text).subarray(0, -4)];
  expect(hidden.map((bytes) => textInBytes(bytes).includes('witness'))).toEqual(hidden.map(() => true));
  expect(hidden.slice(1).some((bytes) => bytes.includes('witness'))).toBe(false);
});

test('random bytes that begin as gzip or zlib do are read as they are', () => {
  const random = [0x1f8b, 0x789c].map((start) =>
    Buffer.concat([Buffer.from([start >> 8, start & 255, 0xff, 0xee]), Buffer.from('witness')]),
  );
  expect(random.map((bytes) => textInBytes(bytes).includes('witness'))).toEqual([true, true]);
});

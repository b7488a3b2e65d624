import { gunzipSync, gzipSync } from 'node:zlib';
import type { Draw } from '#e2e/support/evidence/draw-tampers.ts';
import { unzip } from '#e2e/support/read-xlsx.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { writeZip } from '#lib/core/zip.ts';
import { INDEX_PATH, parseIndex, writeIndex } from '#lib/packs/rules/pack-index.ts';

/** The entries of a pack by path. */
export type PackParts = Map<string, Buffer>;

/** For tests: the entries of a pack, read without the code that reads packs. */
export function partsOf(bytes: Buffer): PackParts {
  return unzip(bytes);
}

/** A ZIP of these entries. */
export async function zipParts(parts: Iterable<[string, Buffer]>, { compress = false } = {}): Promise<Buffer> {
  const entries = [...parts].map(([name, content]) => ({ name, content: [content] }));
  return Buffer.concat(await Array.fromAsync(writeZip(entries, { compress })));
}

/** The entries with an index that states their sizes and digests, as someone would write it who changed them. */
export function reseal(parts: PackParts): PackParts {
  const parsed = parseIndex(parts.get(INDEX_PATH)?.toString('utf8') ?? '');
  if (parsed === null) throw new Error('the pack has no index');
  const entries = [...parts]
    .filter(([path]) => path !== INDEX_PATH)
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256Of(bytes).toString('hex') }));
  return new Map(parts).set(INDEX_PATH, Buffer.from(writeIndex({ ...parsed.index, entries })));
}

/** What someone does to a pack. Those after `renamed` write a new index that fits. */
export const PACK_TAMPERS = [
  'flipped a byte',
  'changed a number',
  'removed',
  'added',
  'swapped',
  'renamed',
  'changed an amount and resealed',
  'removed and resealed',
  'added and resealed',
  'swapped and resealed',
  'renamed and resealed',
] as const;

/** Draws one change of a pack. `what` names it for people. */
export function drawPackTamper(parts: PackParts, kind: (typeof PACK_TAMPERS)[number], pick: Draw): { what: string; parts: PackParts } {
  const changed = new Map(parts);
  const paths = [...parts.keys()];
  const others = paths.filter((path) => path !== INDEX_PATH);
  // Most entries are statements: each kind of entry is drawn as often.
  const pickPath = (from: readonly string[]): string => pick([...Map.groupBy(from, groupOf).values()].map((group) => pick(group)));
  const bytesOf = (path: string): Buffer => Buffer.from(parts.get(path) ?? '');
  const finish = (what: string): { what: string; parts: PackParts } => ({
    what: `${kind}: ${what}`,
    parts: kind.endsWith('resealed') ? reseal(changed) : changed,
  });
  switch (kind) {
    case 'flipped a byte': {
      const path = pickPath(paths);
      const bytes = bytesOf(path);
      const position = pick([...bytes.keys()]);
      bytes[position] = (bytes[position] ?? 0) ^ pick([1, 2, 4, 8, 16, 32, 64, 128]);
      changed.set(path, bytes);
      return finish(`${path} at ${position}`);
    }
    case 'changed a number':
    case 'changed an amount and resealed': {
      const path = pickPath(others.filter((each) => numberIn(each).test(textOf(each, bytesOf(each)))));
      const text = textOf(path, bytesOf(path));
      const found = pick([...text.matchAll(new RegExp(numberIn(path), 'g'))]);
      const amount = `${found[0].slice(0, -1)}${(Number(found[0].slice(-1)) + 1) % 10}`;
      const written = `${text.slice(0, found.index)}${amount}${text.slice(found.index + amount.length)}`;
      changed.set(path, path.endsWith('.gz') ? gzipSync(written) : Buffer.from(written));
      return finish(`${path}: ${found[0]} to ${amount}, after ${text.slice(Math.max(0, found.index - 60), found.index)}`);
    }
    case 'removed':
    case 'removed and resealed': {
      const path = pickPath(others);
      changed.delete(path);
      return finish(path);
    }
    case 'added':
    case 'added and resealed': {
      const path = pick(['statements/1.csv', 'run/extra.json', 'evidence/responses/999999.json.gz', 'payments/extra.csv', 'notes.txt']);
      changed.set(path, bytesOf(pickPath(others)));
      return finish(path);
    }
    case 'swapped':
    case 'swapped and resealed': {
      const one = pickPath(others);
      const other = pickPath(others.filter((path) => !bytesOf(path).equals(bytesOf(one))));
      changed.set(one, bytesOf(other)).set(other, bytesOf(one));
      return finish(`${one} and ${other}`);
    }
    case 'renamed':
    case 'renamed and resealed': {
      const path = pickPath(others);
      changed.delete(path);
      // Reports have no extension.
      changed.set(path.replace(/(?=\.[a-z.]+$)|$/, '0'), bytesOf(path));
      return finish(path);
    }
  }
}

/** The number in a cell of a CSV, or an amount in JSON. */
function numberIn(path: string): RegExp {
  return path.endsWith('.csv') ? /(?<=[,\n])-?\d+(?:\.\d+)?(?=[,\r])/ : /(?<=")-?\d+\.\d+(?=")/;
}

function groupOf(path: string): string {
  return path.replace(/^(statements|evidence\/responses)\/.*/, '$1');
}

function textOf(path: string, bytes: Buffer): string {
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

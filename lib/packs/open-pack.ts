import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type * as z from 'zod';
import { parseCsv, type SheetColumn } from '#lib/core/csv.ts';
import { messageOf } from '#lib/core/strings.ts';

/** A file that is no evidence pack, in a sentence. */
export class PackError extends Error {}

/** What a pack can have. 100,000 recipients have as many statements; the largest entry is their lines. */
const BOUNDS = {
  entries: 250_000,
  path_characters: 200,
  entry_bytes: 64 * 1024 * 1024,
  record_bytes: 1024 * 1024,
  file_bytes: 4 * 1024 * 1024 * 1024,
  /** Inflated bytes for each byte of the file. Sharebook compresses no entry, but who unpacked a pack may zip it again. */
  ratio: 100,
};

const PATH = /^[a-z0-9-]+(?:[./][a-z0-9-]+)*$/i;

/** A pack that can be read entry by entry. Nothing of it is verified. Every failure to read it is a `PackError`. */
export interface OpenPack {
  /** The paths of its entries, with their sizes. */
  sizes: ReadonlyMap<string, number>;
  /** The bytes of an entry in pieces. */
  stream(path: string): AsyncGenerator<Buffer>;
  /** The bytes of an entry at once. */
  read(path: string): Promise<Buffer>;
  /** An entry of JSON in a shape. */
  json<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>;
  /** The rows of a CSV with exactly these columns, as text; an empty cell is null. */
  rows<Key extends string>(path: string, columns: readonly (SheetColumn & { key: Key })[]): AsyncGenerator<Record<Key, string | null>>;
  close(): void;
}

/** Opens a pack and lists its entries within bounds. Its bytes are read when they are needed. */
export async function openPack(file: string): Promise<OpenPack> {
  const zip = await orRefuse(openPromise(file, { autoClose: false, strictFileNames: true }));
  try {
    const entries = await listEntries(zip);
    return new ZippedPack(zip, entries);
  } catch (error) {
    zip.close();
    throw refusalOf(error);
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.fileSize > BOUNDS.file_bytes) throw new PackError('It is larger than a pack can be.');
  if (zip.entryCount > BOUNDS.entries) throw new PackError(`It has more than ${BOUNDS.entries} entries.`);
  const entries = new Map<string, Entry>();
  let [inflated, stored] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    // `zip -r` adds an entry for each folder.
    const isFolder = entry.fileName.endsWith('/') && entry.uncompressedSize === 0;
    const path = isFolder ? entry.fileName.slice(0, -1) : entry.fileName;
    if (path.length > BOUNDS.path_characters || !PATH.test(path))
      throw new PackError(`An entry has the path ${JSON.stringify(path.slice(0, 80))}, which no pack has.`);
    if (isFolder) continue;
    if (entries.has(path)) throw new PackError(`It has the entry ${path} twice.`);
    if (entry.uncompressedSize > BOUNDS.entry_bytes) throw new PackError(`Its entry ${path} is larger than a pack’s can be.`);
    inflated += entry.uncompressedSize;
    stored += entry.compressedSize;
    if (inflated > BOUNDS.ratio * zip.fileSize || stored > zip.fileSize)
      throw new PackError('Its entries are larger than its file can hold.');
    entries.set(path, entry);
  }
  return entries;
}

class ZippedPack implements OpenPack {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly sizes: ReadonlyMap<string, number>;

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
    this.sizes = new Map([...entries].map(([path, { uncompressedSize }]) => [path, uncompressedSize]));
  }

  async *stream(path: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new PackError(`It has no entry ${path}.`);
    const bytes = await orRefuse(this.#zip.openReadStreamPromise(entry));
    try {
      // Guarantee of the cast: a stream without an encoding reads buffers.
      for await (const piece of bytes) yield piece as Buffer;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async read(path: string): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.stream(path)));
  }

  async json<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> {
    const text = (await this.read(path)).toString('utf8');
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new PackError(`Its entry ${path} is no JSON.`);
    }
    const parsed = shape.safeParse(json);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new PackError(`Its entry ${path} has another shape: ${issue?.path.join('.')}: ${issue?.message}.`);
  }

  async *rows<Key extends string>(
    path: string,
    columns: readonly (SheetColumn & { key: Key })[],
  ): AsyncGenerator<Record<Key, string | null>> {
    const keys = columns.map(({ key }) => key);
    let [isHeader, unread] = [true, 0];
    const stream = this.stream(path);
    async function* pieces(): AsyncGenerator<Buffer> {
      for await (const piece of stream) {
        unread += piece.length;
        if (unread > BOUNDS.record_bytes) throw new PackError(`Its entry ${path} has a row that is larger than a pack’s can be.`);
        yield piece;
      }
    }
    try {
      for await (const records of parseCsv(pieces())) {
        unread = 0;
        for (const record of records) {
          if (record.length !== keys.length || (isHeader && record.join() !== keys.join()))
            throw new PackError(`Its entry ${path} has other columns.`);
          if (!isHeader) yield rowOf(keys, record);
          isHeader = false;
        }
      }
    } catch (error) {
      throw error instanceof PackError ? error : new PackError(`Its entry ${path} is no CSV, or ends within a record.`);
    }
  }

  close(): void {
    this.#zip.close();
  }
}

/** Guarantee of the cast: the row has each key. */
function rowOf<Key extends string>(keys: readonly Key[], record: readonly string[]): Record<Key, string | null> {
  return Object.fromEntries(keys.map((key, index) => [key, record[index] || null])) as Record<Key, string | null>;
}

async function orRefuse<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error);
  }
}

const FILE_REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'It is a folder.',
  EACCES: 'Sharebook may not read it.',
};

/** Whatever the file or its ZIP was refused for, as a sentence. */
function refusalOf(error: unknown): PackError {
  if (error instanceof PackError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = FILE_REFUSALS[code] ?? (UNSAFE_PATH.test(messageOf(error)) ? 'An entry has a path that no pack has.' : NO_ZIP);
  return new PackError(text);
}

const NO_ZIP = 'It can’t be read as a ZIP: it is none, is encrypted or damaged, or ends too early.';
/** What yauzl says of names of entries. */
const UNSAFE_PATH = /^(?:absolute path|invalid relative path|invalid characters in fileName):/;

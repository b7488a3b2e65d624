import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** Its path in the zip, ASCII. */
  name: string;
  /** A short text is stored as it is; pieces are compressed as they come. */
  content: string | AsyncIterable<string>;
}

/** What a reader gets at once. */
const PIECE_BYTES = 131_072;

/** Larger files need fields of 64 bits, which old readers don't know. */
const SIZE_MAX = 0xffff_ffff;

/**
 * Writes a zip in pieces, in constant memory. Every entry is dated 1 January 1980, so equal contents give equal bytes on one machine and
 * version of Node. Errors: those of the contents; a size beyond 4 GiB. A reader that stops early ends the contents.
 */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let held: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const from = offset;
    const entry = openEntry(content);
    const head = Buffer.concat([fields([4, 0x04034b50], ...factsOf(entry), [2, name.length], [2, 0]), Buffer.from(name)]);
    held.push(head, ...(typeof content === 'string' ? [Buffer.from(content)] : []));
    offset += head.length;
    if (typeof content !== 'string') {
      yield Buffer.concat(held);
      held = [];
      for await (const piece of compress(content, entry)) yield piece;
      const found = fields([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.size]);
      held.push(found);
      offset += found.length;
    }
    offset += entry.packed;
    if (Math.max(offset, entry.size) > SIZE_MAX) throw new Error(`a zip of more than ${SIZE_MAX} bytes, at ${name}`);
    directory.push(
      fields([4, 0x02014b50], [2, 20], ...factsOf(entry), [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, from]),
      Buffer.from(name),
    );
  }
  const central = Buffer.concat(directory);
  const end = fields([4, 0x06054b50], [4, 0], [2, entries.length], [2, entries.length], [4, central.length], [4, offset], [2, 0]);
  yield Buffer.concat([...held, central, end]);
}

/** What a zip states of an entry; of one that is compressed while it is read, known at its end. */
interface EntryFacts {
  isStreamed: boolean;
  crc: number;
  packed: number;
  size: number;
}

function openEntry(content: ZipEntry['content']): EntryFacts {
  if (typeof content !== 'string') return { isStreamed: true, crc: 0, packed: 0, size: 0 };
  const size = Buffer.byteLength(content);
  return { isStreamed: false, crc: crc32(content), packed: size, size };
}

/** Version, flags, method, time, date, checksum and sizes. The flag says that the last three follow the contents. */
function factsOf({ isStreamed, crc, packed, size }: EntryFacts): [2 | 4, number][] {
  return [
    [2, 20],
    [2, isStreamed ? 8 : 0],
    [2, isStreamed ? 8 : 0],
    [2, 0],
    [2, 0x21],
    [4, crc],
    [4, packed],
    [4, size],
  ];
}

async function* compress(content: AsyncIterable<string>, entry: EntryFacts): AsyncGenerator<Uint8Array> {
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      yield bytes;
    }
  }
  const deflate = createDeflateRaw({ chunkSize: PIECE_BYTES });
  // An error of the contents reaches the reader through the stream it reads.
  pipeline(Readable.from(measured()), deflate, () => undefined);
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    entry.packed += piece.length;
    yield piece;
  }
}

/** Numbers of two or four bytes, little end first. */
function fields(...values: [2 | 4, number][]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of values) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}

import { promises, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  /** Its path in the ZIP. */
  name: string;
  /** A text is held until the end; pieces are written as they come. */
  content: string | Iterable<Uint8Array> | AsyncIterable<string>;
}

/** What a reader gets at once. */
const PIECE_BYTES = 131_072;

/**
 * Writes a ZIP in pieces, in constant memory, as fast as it is read. Equal contents give equal bytes. Errors: those of the contents.
 * A reader that stops early ends the entries and their contents.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  { compress }: { compress: boolean },
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  let source = Readable.from([]);
  output.once('close', () => source.destroy());
  addEntries().catch((error: unknown) => output.destroy(error as Error));
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of output as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    [pieces, size] = [[], 0];
  }
  yield Buffer.concat(pieces);

  async function addEntries(): Promise<void> {
    // Of local parts, as the format has no zone: the bytes depend on neither the machine's zone nor its clock.
    const options = { compress, mtime: new Date(2000, 0, 1), forceDosTimestamp: true };
    for await (const { name, content } of entries) {
      if (output.destroyed) return;
      if (typeof content === 'string') {
        zip.addBuffer(Buffer.from(content), name, options);
        continue;
      }
      source = Readable.from(content);
      // One at a time, and through a variable that changes: yazl holds all that is added until the end.
      zip.addReadStreamLazy(name, options, (take) => take(null, source));
      await promises.finished(source);
    }
    zip.end();
  }
}

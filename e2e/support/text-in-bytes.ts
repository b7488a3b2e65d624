import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

// Bytes that are a piece of a file end early.
const PIECE = { finishFlush: constants.Z_SYNC_FLUSH };

/** Bytes as text: gzip and zlib inflated, and a zip with what its entries hold. */
export function textInBytes(bytes: Buffer): string {
  const inflated = inflateAny(bytes);
  if (inflated !== null) return textInBytes(inflated);
  const text = bytes.toString('utf8');
  if (!text.startsWith('PK\u0003\u0004')) return text;
  const entries: string[] = [];
  for (let start = bytes.indexOf('PK\u0003\u0004'); start >= 0; start = bytes.indexOf('PK\u0003\u0004', start + 4)) {
    const data = bytes.subarray(start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28));
    entries.push(bytes.readUInt16LE(start + 8) === 8 ? inflateRawSync(data, PIECE).toString('utf8') : '');
  }
  return [text, ...entries].join('\n');
}

/** What gzip or zlib compressed; null: neither. Sealed bytes are random, so they can begin as either does. */
function inflateAny(bytes: Buffer): Buffer | null {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isZlib = bytes[0] === 0x78 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
  try {
    return isGzip ? gunzipSync(bytes, PIECE) : isZlib ? inflateSync(bytes, PIECE) : null;
  } catch {
    return null;
  }
}

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { parseExactJson } from '#lib/core/exact-json.ts';
import { namesEmail } from '#lib/core/typed-input.ts';
import { type ErasedPeople, leaveOutPeople, mayName } from '../rules/leave-out-people.ts';

const [inflate, deflate] = [promisify(gunzip), promisify(gzip)];

/** A body without what names erased people. */
export interface RedactedBytes {
  /** Gzip. */
  body: Buffer;
  /** Over the inflated body. */
  sha256: Buffer;
  inflatedByteCount: number;
}

/** Leaves people out of a gzipped JSON body; null when it names none of them. A body that is no JSON and names one is emptied. Numbers keep their digits. */
export async function redactBytes(gzipped: Buffer, people: ErasedPeople): Promise<RedactedBytes | null> {
  const bytes = await inflateWhole(gzipped);
  if (!mayName(bytes, people)) return null;
  const text = writeWithout(bytes, people);
  if (text === null) return null;
  const left = Buffer.from(text);
  return { body: await deflate(left), sha256: sha256Of(left), inflatedByteCount: left.length };
}

/** The inflated bytes; empty when they are damaged, which `verify` names. */
async function inflateWhole(gzipped: Buffer): Promise<Buffer> {
  try {
    return await inflate(gzipped);
  } catch {
    return Buffer.alloc(0);
  }
}

function writeWithout(bytes: Buffer, people: ErasedPeople): string | null {
  const text = bytes.toString('utf8');
  let parsed: unknown;
  try {
    parsed = parseExactJson(text);
  } catch {
    const ids = [...people.playerIds].join('|');
    const hasId = ids !== '' && new RegExp(String.raw`player_?id"?\s*:\s*"?(?:${ids})\b`, 'i').test(text);
    return hasId || namesEmail(bytes, people.emails) || [...people.identities].some((id) => text.includes(id)) ? '' : null;
  }
  const left = leaveOutPeople(parsed, people);
  // A key that is there twice is parsed once: written again, only the inspected value is left.
  return left === parsed && !namesEmail(bytes, people.emails) ? null : JSON.stringify(left);
}

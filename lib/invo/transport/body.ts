import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { Exchange } from '../invo.ts';
import { type Evidence, InvoError, malformed } from '../invo-error.ts';
import type { Limits } from '../settings.ts';
import type { Answer } from './exchange.ts';

const inflate = promisify(gunzip);

/** The body of an answer, inflated within the bound. A gzip stream that stops too early is a torn body (unreachable). */
export async function inflateBody({ contentEncoding, received, status }: Answer, limits: Limits): Promise<Buffer> {
  if (contentEncoding === 'identity') return received;
  try {
    return await inflate(received, { maxOutputLength: limits.inflatedBytes });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new InvoError('too_large', 'more bytes inflated than accepted', { status });
    if (code === 'Z_BUF_ERROR')
      throw new InvoError('unreachable', 'the compressed answer stops too early', { status, facts: { torn: true } });
    throw malformed('content-encoding', 'the body is not gzip', null, status);
  }
}

/** Reads the JSON of a 200; anything else at this point breaks the contract (another status or type, bad UTF-8, no JSON). */
export function readJson(
  answer: Answer,
  body: Buffer,
  { evidence, limits, parse = JSON.parse }: { evidence: Evidence | null; limits: Limits; parse?: ((text: string) => unknown) | undefined },
): unknown {
  const refuse = (path: string, reason: string): InvoError => malformed(path, reason, evidence, answer.status);
  if (answer.status !== 200) throw refuse('status', `expected 200, received ${answer.status}`);
  if (!isJsonType(answer.contentType)) throw refuse('content-type', 'expected application/json');
  if (!isUtf8(body)) throw refuse('body', 'expected UTF-8');
  if (holdsTooMany(body, limits.jsonValues)) throw new InvoError('too_large', 'more values than accepted', { status: 200, evidence });
  try {
    return parse(body.toString('utf8'));
  } catch {
    throw refuse('body', 'expected JSON');
  }
}

/** Whether a content type announces JSON, whatever its parameters. */
export function isJsonType(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}

// Commas and opening brackets, those inside names too: an upper bound, and the cheapest. Counted before parsing, because 128 MiB of
// "[],[],[]" is gigabytes once parsed.
const BEGINS_VALUE = new Uint8Array(256);
for (const byte of Buffer.from(',[{')) BEGINS_VALUE[byte] = 1;

function holdsTooMany(body: Buffer, values_max: number): boolean {
  if (body.length <= values_max) return false;
  let values = 0;
  for (let index = 0; index < body.length; index++) values += BEGINS_VALUE[body[index] ?? 0] ?? 0;
  return values > values_max;
}

/** An answer whose bytes may hold secrets or a phone number, with the masked tree as its evidence instead of the bytes, under its own digest. */
export function withTreeEvidence<T extends { tree: unknown }>({ value, evidence }: Exchange<T>): Exchange<T> {
  const received = Buffer.from(JSON.stringify(value.tree), 'utf8');
  const sha256 = sha256Of(received).toString('hex');
  return { value, evidence: { ...evidence, contentEncoding: 'identity', received, sha256, inflatedBytes: received.length } };
}

/** Binds an answer to the digest of its inflated body. */
export function evidenceOf(request: string, answer: Answer, body: Buffer, receivedAtMs: number): Evidence {
  return {
    request,
    status: answer.status,
    receivedAt: new Date(receivedAtMs).toISOString(),
    contentEncoding: answer.contentEncoding,
    received: answer.received,
    sha256: sha256Of(body).toString('hex'),
    inflatedBytes: body.length,
  };
}

import { repeatsSecret } from '../access/repeats-secret.ts';
import { InvoError, malformed } from '../invo-error.ts';
import type { Answer } from './answer.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { inflateBody, readJson } from './read-body.ts';
import { refusalOf } from './refusal.ts';
import { type Road, sendRequest } from './send-request.ts';

/** What one answer says, with the bytes it was read from. */
export interface Exchange<T> {
  value: T;
  evidence: Evidence;
}

/** Reads parsed JSON as one of Invo's shapes, or names the first field that does not fit. */
export type Reader<T> = (json: unknown) => { isSound: true; value: T } | { isSound: false; path: string; reason: string };

export interface Call<T> {
  /** Path and query as sent, the prefix of the base URL included. */
  request: string;
  /** The same as people may read it in evidence and logs: without e-mails. */
  shown: string;
  totalMs: number;
  read: Reader<T>;
  signal: AbortSignal | undefined;
}

/** One call, one try: sends, inflates, keeps the evidence, reads. Throws InvoError with the evidence of a refused body. */
export async function exchange<T>(
  road: Road,
  call: Call<T>,
  secret: string,
  secrets: readonly string[],
  now: () => number,
): Promise<Exchange<T>> {
  const answer = await sendRequest(road, { path: call.request, secret, totalMs: call.totalMs, signal: call.signal });
  const receivedAtMs = now();
  const body = await bodyOf(answer, road);
  const evidence = evidenceOf(call.shown, answer, body, receivedAtMs);
  // A body that repeats the secret is refused without its bytes: evidence is read by people, and secrets are never stored.
  if (answer.status < 400 && repeatsSecret(body, secrets))
    throw malformed('body', 'the answer repeats the game secret', null, answer.status);
  if (answer.status >= 400) throw refusalOf(answer, body, evidence, secrets, receivedAtMs);
  const reading = call.read(readJson(answer, body, evidence, road.limits));
  if (!reading.isSound) throw malformed(reading.path, reading.reason, evidence, answer.status);
  return { value: reading.value, evidence };
}

// A refusal is known by its status: a broken body takes away its details, not its meaning.
async function bodyOf(answer: Answer, road: Road): Promise<Buffer> {
  try {
    return await inflateBody(answer, road.limits);
  } catch (error) {
    if (answer.status >= 400 && error instanceof InvoError) return Buffer.alloc(0);
    throw error;
  }
}

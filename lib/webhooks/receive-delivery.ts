import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import { followPhoneApproval } from '../actions/writes/grant-rows.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { parseInstant } from '../core/instant.ts';
import { BODY_BYTES_MAX, type RefusalReason, type SecretSlot } from './rules/delivery.ts';
import { findSubjects, followEvent, PHONE_APPROVED, TEST_EVENT_TYPE } from './rules/event.ts';
import { canonicalMeaning, parseBody } from './rules/parse-body.ts';
import { holdsSecret } from './rules/shown-fields.ts';
import {
  isStale,
  parseKey,
  parseShownHeader,
  parseSignatureHeader,
  type SignatureHeader,
  type SigningSecrets,
  verifySignature,
} from './rules/signature-header.ts';
import { type NewDelivery, recordDelivery } from './writes/record-delivery.ts';

/** What the intake of one game works with. */
export interface Intake {
  /** null: no signing secret is configured, so nothing can be verified. */
  secrets: SigningSecrets | null;
  db: Db;
  /** The stored game and its id at Invo, null while none is pinned. May throw while the database is away. */
  findGame(): Promise<{ gameId: number; pinnedId: string | null }>;
  /** The time by the database clock. */
  now(): Promise<string>;
  /** Called for each refused request; `body` is null when none was read. */
  onRefused(reason: RefusalReason, body: Uint8Array | null): void;
  /** Called once a delivery is committed. */
  onStored(gameId: number): void;
  /** Called when a delivery could not be committed. */
  onError(error: unknown): void;
}

/** The answer: 200 only after the commit, and never why a signature failed. */
export interface IntakeAnswer {
  status: 200 | 400 | 401 | 408 | 413 | 415 | 503;
  message: string;
  retryAfter_seconds?: number;
}

const RETRY_AFTER_SECONDS = 30;
const compressLarge = promisify(gzip);
/** Up to here, handing the bytes to another thread costs more than compressing them. */
const SMALL_BYTES = 8_192;

/**
 * Receives one delivery: type and encoding, the header, the body within its bounds, the signature over the bytes, the age, and one
 * transaction. No call to Invo is made and nothing else is read. JSON is parsed only once the signature holds.
 */
export async function receiveDelivery(intake: Intake, request: IncomingDelivery): Promise<IntakeAnswer> {
  const refuse = (reason: RefusalReason, answer: IntakeAnswer, body: Uint8Array | null = null): IntakeAnswer => {
    intake.onRefused(reason, body);
    return answer;
  };
  const { headers } = request;
  const encoding = headers.get('content-encoding');
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers.get('content-type') ?? ''))
    return refuse('content_type', { status: 415, message: 'Send application/json.' });
  if (encoding !== null && encoding !== 'identity') return refuse('content_encoding', { status: 415, message: 'Send the body unencoded.' });
  const { secrets } = intake;
  if (secrets === null) return refuse('no_secret', LATER);
  // Checked before the body, so that a sender who sends none costs no wait.
  const header = parseSignatureHeader(headers.get('x-service-signature'));
  if (header === null) return refuse('header', { status: 400, message: 'X-Service-Signature is missing or malformed.' });
  const body = await readBoundedBody(request);
  if (body === 'too_large') return refuse('too_large', { status: 413, message: 'The body is longer than 256 KiB.' });
  if (body === 'too_slow') return refuse('too_slow', { status: 408, message: 'The body took longer than 10 seconds.' });
  if (body === 'busy') return refuse('not_stored', LATER);
  if (body === 'gone') return { status: 400, message: 'The body ended early.' };
  const secretSlot = verifySignature(body, header, secrets);
  if (secretSlot === null) return refuse('signature', { status: 401, message: 'The signature was not accepted.' }, body);
  try {
    const [{ gameId, pinnedId }, now] = await Promise.all([intake.findGame(), intake.now()]);
    const delivery = await reshapeDelivery({ gameId, pinnedId, now, body, header, secretSlot, headers });
    await recordDelivery(intake.db, delivery);
    intake.onStored(gameId);
    if (delivery.eventType === PHONE_APPROVED && delivery.state === 'processed') await hurryPoll(intake, delivery);
    return delivery.isStale ? { status: 400, message: 'The signed time is more than 5 minutes away.' } : { status: 200, message: 'stored' };
  } catch (error) {
    intake.onError(error);
    return refuse('not_stored', LATER, body);
  }
}

/** It is stored already, so an error here isn't Invo's to know: the poll comes by itself. */
async function hurryPoll({ db, onError }: Intake, { gameId, subjects }: NewDelivery): Promise<void> {
  const transaction = subjects.find(({ kind }) => kind === 'transaction');
  await followPhoneApproval(db, gameId, transaction?.idText ?? null).catch(onError);
}

const LATER: IntakeAnswer = { status: 503, message: 'Nothing was stored. Send it again later.', retryAfter_seconds: RETRY_AFTER_SECONDS };

interface Verified {
  gameId: number;
  pinnedId: string | null;
  now: string;
  body: Uint8Array;
  header: SignatureHeader;
  secretSlot: SecretSlot;
  headers: IncomingDelivery['headers'];
}

/** A verified delivery as it is stored. A signed body that can't be read is stored too, for a person to check. */
async function reshapeDelivery({ gameId, pinnedId, now, body, header, secretSlot, headers }: Verified): Promise<NewDelivery> {
  const { key, problem: keyProblem } = parseKey(headers.get('x-service-idempotency-key'));
  const isLate = isStale(Number(header.signedAt), now);
  const bodySha256 = sha256Of(body);
  const received = {
    gameId,
    key,
    keyProblem,
    headerEventId: parseShownHeader(headers.get('x-service-event-id')),
    signedAt_seconds: Number(header.signedAt),
    secretSlot,
    secretVersion: parseShownHeader(headers.get('x-service-secret-version')),
    signatureCount: header.signatures.length,
    // Codes and tokens work for anyone who has them, so a body with one isn't stored; its digest is.
    body: holdsSecret(body) ? null : body.byteLength <= SMALL_BYTES ? gzipSync(body) : await compressLarge(body),
    bodySha256,
    bodyBytes: body.byteLength,
    isStale: isLate,
  };
  const envelope = parseBody(body);
  if (typeof envelope === 'string')
    return {
      ...received,
      meaningDigest: bodySha256,
      eventType: null,
      tenantId: null,
      eventId: null,
      createdAt: null,
      bodyProblem: envelope,
      isTest: false,
      state: 'failing',
      read: null,
      subjects: [],
    };
  const { data: _, createdAt, ...named } = envelope;
  const subjects = findSubjects(envelope);
  const { state, problem: bodyProblem, read } = followEvent(envelope, subjects, { pinnedId, isStale: isLate });
  return {
    ...received,
    ...named,
    meaningDigest: sha256Of(canonicalMeaning(envelope)),
    createdAt: createdAt === null ? null : parseInstant(createdAt),
    bodyProblem,
    isTest: envelope.eventType === TEST_EVENT_TYPE,
    state,
    read,
    subjects,
  };
}

/**
 * Answers one request to the address of an intake: no session, no origin, only the signature counts. `receive` is the intake of the game named in the
 * path; null: there is none.
 */
export async function answerDelivery(
  receive: ((delivery: IncomingDelivery) => Promise<IntakeAnswer>) | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (receive === null) return send(response, 404, 'There is no such game.');
  if (request.method !== 'POST') return send(response, 405, 'Send a POST.', { allow: 'POST' });
  const { status, message, retryAfter_seconds: wait } = await receive({ headers: headersOf(request), body: piecesOf(request) });
  send(response, status, message, {
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    // After a body that was not read to its end, the connection can't be used again.
    ...(request.complete ? {} : { connection: 'close' }),
  });
}

function send(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(JSON.stringify({ message }));
}

/** A repeated header is read as both values joined, so it never passes for one. */
function headersOf({ headersDistinct }: IncomingMessage): IncomingDelivery['headers'] {
  return { get: (name) => headersDistinct[name]?.join(', ') ?? null };
}

/** Giving up on a body must not close the connection: the answer is still sent over it. */
function piecesOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

/** A request as the intake sees it. */
export interface IncomingDelivery {
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
}

const BODY_LIMIT_MS = 10_000;
/** Bytes of unfinished bodies that one process holds at most, from all senders. Senders who send nothing don't use any of it. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
let held_bytes = 0;

/** Why a body was not read. `busy`: no more fits into memory now; `gone`: the sender left before its end, so nobody waits for an answer. */
type UnreadBody = 'too_large' | 'too_slow' | 'busy' | 'gone';

/** Reads a body within its bounds of length and time. Nothing beyond them is read. */
export async function readBoundedBody({ headers, body }: IncomingDelivery, limit_ms: number = BODY_LIMIT_MS): Promise<Buffer | UnreadBody> {
  if (Number(headers.get('content-length') ?? 0) > BODY_BYTES_MAX) return 'too_large';
  if (body === null) return Buffer.alloc(0);
  const pieces = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too_slow'>((resolve) => {
    timer = setTimeout(() => resolve('too_slow'), limit_ms);
  });
  try {
    const read = await Promise.race([readAll(pieces), late]);
    // Without an answer to wait for: a body that stalls would hold the request open.
    if (typeof read === 'string') void Promise.resolve(pieces.return?.()).catch(() => undefined);
    return read;
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(pieces: AsyncIterator<Uint8Array>): Promise<Buffer | UnreadBody> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      const { byteLength } = piece.value;
      if (bytes + byteLength > BODY_BYTES_MAX) return 'too_large';
      if (held_bytes + byteLength > HELD_BYTES_MAX) return 'busy';
      bytes += byteLength;
      held_bytes += byteLength;
      read.push(piece.value);
    }
    return Buffer.concat(read);
  } catch {
    return 'gone';
  } finally {
    held_bytes -= bytes;
  }
}

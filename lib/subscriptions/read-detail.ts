import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ZodType } from 'zod';
import { findDetail } from '#db/subscriptions/reads/find-detail.ts';
import { type DetailKind, type KnownThings, recordDetail, recordKnown } from '#db/subscriptions/writes/details.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { InvoClient } from '../invo/client.ts';
import { InvoError } from '../invo/invo-error.ts';
import type { Exchange } from '../invo/transport/read.ts';

/**
 * What is known of one thing at Invo. `live`: as Invo says now. `stored`: Invo could not be asked, so what it said last, and when.
 * `not_found`: Invo itself says that it is not in this game and environment. `nothing`: Invo could not be asked and nothing is held.
 */
export type Detail<T> =
  | { kind: 'live'; value: T; readAt: string }
  | { kind: 'stored'; value: T; readAt: string; trouble: InvoFailure }
  | { kind: 'not_found' }
  | { kind: 'nothing'; trouble: InvoFailure };

/** One detail route of Invo: how it is asked, what its answer must look like, and what the answer names besides. */
export interface DetailRoute<T> {
  kind: DetailKind;
  /** An id of Invo's, with the offset where the route has pages; never an e-mail. */
  subject: string;
  shape: ZodType<T>;
  ask(client: InvoClient, signal: AbortSignal): Promise<Exchange<T>>;
  /** Whether a refusal is Invo's own word that there is no such thing; a 404 of something on the way is not. */
  isNotFound(error: InvoError): boolean;
  known(value: T): KnownThings;
}

const BODY_MAX = 128 * 1024 * 1024;
const inflate = promisify(gunzip);

/** Reads one thing at Invo and keeps the answer; when Invo cannot be asked, reads what is kept of it. Throws nothing of Invo's. */
export async function readDetail<T>(desk: GameContext, route: DetailRoute<T>, patience: Deadline = {}): Promise<Detail<T>> {
  try {
    const { value, evidence } = await askWithin(desk, patience, (client, signal) => route.ask(client, signal));
    await keepDetail(desk, route, { value, evidence });
    return { kind: 'live', value, readAt: desk.game.now() };
  } catch (error) {
    if (error instanceof InvoError && error.code === 'not_found' && route.isNotFound(error)) return { kind: 'not_found' };
    return await readHeld(desk, route, toInvoFailure(error));
  }
}

/** What is kept of one thing where Invo is not asked for it, because of this trouble. */
export async function readHeld<T>(desk: GameContext, route: DetailRoute<T>, trouble: InvoFailure): Promise<Detail<T>> {
  const stored = await readStored(desk, route);
  return stored === null ? { kind: 'nothing', trouble } : { kind: 'stored', ...stored, trouble };
}

/** The same detail with another value made of the one it has. */
export function mapDetail<From, To>(detail: Detail<From>, make: (value: From) => To): Detail<To> {
  return 'value' in detail ? { ...detail, value: make(detail.value) } : detail;
}

/** Keeps a sound answer and the ids it names. */
export async function keepDetail<T>({ game }: GameContext, route: DetailRoute<T>, { value, evidence }: Exchange<T>): Promise<void> {
  const { contentEncoding, received, sha256 } = evidence;
  await recordDetail(game.db, { gameId: game.gameId, kind: route.kind, subject: route.subject, contentEncoding, received, sha256 });
  await recordKnown(game.db, game.gameId, route.known(value));
}

/** What Invo said last, read again by the shape of today; null when nothing is kept or it no longer reads. */
async function readStored<T>(
  { game }: GameContext,
  { kind, subject, shape }: DetailRoute<T>,
): Promise<{ value: T; readAt: string } | null> {
  const stored = await findDetail(game.db, game.gameId, kind, subject);
  if (stored === null) return null;
  const body = await inflate(stored.body, { maxOutputLength: BODY_MAX });
  if (!createHash('sha256').update(body).digest().equals(stored.sha256)) return null;
  const reading = shape.safeParse(JSON.parse(body.toString('utf8')));
  return reading.success ? { value: reading.data, readAt: stored.readAt } : null;
}

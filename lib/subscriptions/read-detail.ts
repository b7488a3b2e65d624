import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ZodType } from 'zod';
import { sha256Of } from '../core/canonical-digest.ts';
import { leaveOutPeople } from '../evidence/rules/leave-out-people.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { Exchange, Invo } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { type DetailKind, findDetail, PLAYER_KINDS, type StoredDetail } from './reads.ts';
import { type KnownRecords, type PeriodFigures, recordDetail, recordKnown } from './writes.ts';

/**
 * The result of reading one thing from Invo. `live`: Invo's answer now, or one that is fresh enough for who reads. `stored`: Invo couldn't be
 * reached; this is its last answer. `not_found`: Invo says it isn't in this game and environment. `nothing`: Invo couldn't be reached, and no
 * earlier answer is stored. `age_s`: how old a stored answer is, in seconds; absent: it was read now.
 */
export type Detail<T> =
  | { kind: 'live'; value: T; readAt: string; age_s?: number }
  | { kind: 'stored'; value: T; readAt: string; age_s?: number; error: InvoFailure }
  | { kind: 'not_found' }
  | { kind: 'nothing'; error: InvoFailure };

/** One detail route of Invo: how it is read, and the shape of its answer. */
export interface DetailRoute<T> {
  kind: DetailKind;
  /** One of Invo's ids, with the offset where the route has pages, or a window; never an email. */
  subject: string;
  shape: ZodType<T>;
  /** How the JSON of a stored answer is parsed; left out: as numbers of JavaScript. */
  parse?: (text: string) => unknown;
  ask(invo: Invo, signal: AbortSignal): Promise<Exchange<T>>;
  /** Whether Invo itself says that the thing doesn't exist; a proxy's 404 doesn't count. */
  isNotFound(error: InvoError): boolean;
  /** The ids its answer contains; left out: none. */
  known?(value: T): KnownRecords;
  /** Stores what lists show of it; `sentAt_ms`: when the request was sent, by `performance.now()`. Left out: nothing more. */
  store?(value: T, sentAt_ms: number): Promise<void>;
  /** What a month adds up of it; left out: nothing. */
  figures?(value: T): PeriodFigures;
}

/** How long a person waits for a reading, and from which age on a stored answer is read again; absent: always. */
export interface ReadOptions extends Deadline {
  freshFor_s?: number | undefined;
}

const BODY_MAX = 128 * 1024 * 1024;
const inflate = promisify(gunzip);

/**
 * Reads one thing from Invo and stores the answer; when Invo can't be reached, returns the stored answer. A stored answer that is fresh enough is
 * returned without a request. Never throws InvoError.
 */
export async function readDetail<T>(
  context: GameContext,
  route: DetailRoute<T>,
  { freshFor_s, ...deadline }: ReadOptions = {},
): Promise<Detail<T>> {
  const fresh = freshFor_s === undefined ? null : await findStoredAnswer(context, route);
  if (fresh !== null && fresh.age_s < (freshFor_s ?? 0)) return { kind: 'live', ...fresh };
  try {
    const { value, evidence } = await askWithin(context, deadline, (invo, signal) => route.ask(invo, signal));
    await storeDetail(context, route, { value, evidence });
    return { kind: 'live', value, readAt: context.game.now() };
  } catch (error) {
    if (error instanceof InvoError && error.code === 'not_found' && route.isNotFound(error)) return { kind: 'not_found' };
    return await findStoredDetail(context, route, toInvoFailure(error, { isPlayer: PLAYER_KINDS.has(route.kind) }));
  }
}

/** Returns the stored answer about one thing when Invo isn't read because of this error. */
export async function findStoredDetail<T>(context: GameContext, route: DetailRoute<T>, error: InvoFailure): Promise<Detail<T>> {
  const stored = await findStoredAnswer(context, route);
  return stored === null ? { kind: 'nothing', error } : { kind: 'stored', ...stored, error };
}

/** Maps the value of a detail, if it has one. */
export function mapDetail<From, To>(detail: Detail<From>, make: (value: From) => To): Detail<To> {
  return 'value' in detail ? { ...detail, value: make(detail.value) } : detail;
}

/** Stores a valid answer and what it contains, unless the answer to a later request is stored. */
export async function storeDetail<T>(
  { game }: Pick<GameContext, 'game'>,
  route: DetailRoute<T>,
  { value, evidence }: Exchange<T>,
): Promise<void> {
  const { contentEncoding, received, sha256, sentAt_ms } = evidence;
  const { kind, subject } = route;
  const figures = route.figures?.(value) ?? null;
  await recordDetail(game.db, { gameId: game.gameId, kind, subject, contentEncoding, received, sha256, sentAt_ms, figures });
  if (route.known !== undefined) await recordKnown(game.db, game.gameId, route.known(value), sentAt_ms);
  await route.store?.(value, sentAt_ms);
}

/** Finds the last answer, parsed by today's shape; null when none is stored, its bytes are damaged, or it no longer parses. */
export async function findStoredAnswer<T>(
  { game }: Pick<GameContext, 'game'>,
  { kind, subject, ...route }: DetailRoute<T>,
): Promise<{ value: T; readAt: string; age_s: number } | null> {
  const stored = await findDetail(game.db, game.gameId, kind, subject);
  const answer = stored === null ? null : await parseStoredAnswer(stored, route);
  return stored === null || answer === null ? null : { ...answer, age_s: stored.age_s };
}

/** Parses a stored answer by today's shape, without what names people who were erased; null when its bytes are damaged, or it no longer parses. */
export async function parseStoredAnswer<T>(
  stored: StoredDetail,
  { shape, parse = JSON.parse }: Pick<DetailRoute<T>, 'shape' | 'parse'>,
): Promise<{ value: T; readAt: string } | null> {
  const playerIds = new Set(stored.erasedIds);
  // What was stored before their erasure by an earlier version still names them.
  const body = leaveOutPeople(await readBody(stored, parse), { playerIds, emails: [], identities: new Set() });
  const reading = shape.safeParse(body);
  return reading.success ? { value: reading.data, readAt: stored.readAt } : null;
}

/** The JSON of a stored answer; undefined when its bytes are no gzip, not those of its digest, or no JSON. `verify` names them. */
async function readBody({ body, sha256 }: StoredDetail, parse: (text: string) => unknown): Promise<unknown> {
  try {
    const inflated = await inflate(body, { maxOutputLength: BODY_MAX });
    return sha256Of(inflated).equals(sha256) ? parse(inflated.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

import type { GameConfig } from '../config.ts';
import type { Invo } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { openInvo } from '../invo/open-invo.ts';
import type { InvoErrorCode } from '../invo/rules/error-codes.ts';
import type { CallEvent } from '../invo/settings.ts';
import { formatInvoError, type ReadTarget } from '../invo/text.ts';
import type { GameContext, OpenGame } from './open-game.ts';
import { sharedBudget } from './shared-budget.ts';
import { findAcceptedSecret, recordAcceptedSecret } from './writes.ts';

export type { GameContext };

/** How long a person waits, and a signal that can end the wait sooner. */
export interface Deadline {
  limit_ms?: number | undefined;
  signal?: AbortSignal | undefined;
}

// A page never waits longer for Invo; then it shows stored data.
const PERSON_LIMIT_MS = 5_000;
// An outage lasts longer than a page waits: one retry helps against a hiccup, five would only delay the page.
const TRIES_MAX = 2;
// A setting at Invo under a status that otherwise passes (documents 1 and 3): a second try meets it again.
const SETTING_CODES: ReadonlySet<string> = new Set(['sdk_verification_disabled']);

/**
 * Sends a request to Invo while a person waits: at most five seconds and two tries. Throws InvoError; after a timeout, the one with the
 * reason: the error of the last try, the rate limit, or no answer.
 */
export async function askWithin<T>(
  { game, config, lookUpBy }: GameContext,
  { limit_ms = PERSON_LIMIT_MS, signal }: Deadline,
  run: (invo: Invo, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const until_ms = performance.now() + limit_ms;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limit_ms);
  let failed: CallEvent | null = null;
  let waitsUntil_ms: number | null = null;
  const invo = connectInvo(game, config, {
    caller: 'person',
    ...(lookUpBy === undefined ? {} : { lookUpBy }),
    onWait: (ms) => {
      waitsUntil_ms = ms;
      // A wait that outlasts the deadline fails at once.
      if (ms !== null && ms - Date.now() >= until_ms - performance.now()) giveUp.abort();
    },
    log: (event) => {
      if (event.outcome === 'answered' || event.outcome === 'aborted') return;
      failed = event;
      const isSetting = event.errorCode !== null && SETTING_CODES.has(event.errorCode.toLowerCase());
      if (event.waitMs !== null && (isSetting || event.tries >= TRIES_MAX || performance.now() + event.waitMs >= until_ms)) giveUp.abort();
    },
  });
  try {
    return await run(invo, signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal);
  } catch (error) {
    const isOurs = error instanceof InvoError && error.code === 'aborted' && giveUp.signal.aborted && signal?.aborted !== true;
    throw isOurs ? reasonOf(failed, waitsUntil_ms, limit_ms) : error;
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(failed: CallEvent | null, waitsUntil_ms: number | null, limit_ms: number): InvoError {
  if (failed !== null && failed.outcome !== 'answered') {
    const { outcome, errorId, errorCode, waitMs, status } = failed;
    const detail = { errorId, errorCode, retryAfterMs: waitMs, ...(status === null ? {} : { status }) };
    return new InvoError(outcome, 'stopped at the deadline of a waiting person', detail);
  }
  if (waitsUntil_ms !== null)
    return new InvoError('rate_limited', 'the shared budget has no call left', { retryAfterMs: Math.max(0, waitsUntil_ms - Date.now()) });
  return new InvoError('timeout', `no answer in ${limit_ms} ms`);
}

interface CallOptions {
  /** Who sends the requests: pulls leave room for a person's click. */
  caller: 'pull' | 'person';
  /** Id of the person who looks something up. */
  lookUpBy?: string;
  onWait?: (untilMs: number | null) => void;
  log?: (event: CallEvent) => void;
}

/** Opens a game at Invo, over the rate budget that all processes share. The secret is inside what it returns and nowhere else. */
export function connectInvo(game: OpenGame, config: GameConfig, options: CallOptions): Invo {
  const gameId = config.gameId ?? game.invoGameId ?? undefined;
  return openInvo({
    access: {
      baseUrl: config.baseUrl,
      secret: config.gameSecret,
      environment: config.environment,
      ...(config.gameSecretPrevious === undefined ? {} : { previousSecret: config.gameSecretPrevious }),
      ...(gameId === undefined ? {} : { gameId }),
    },
    budget: sharedBudget(game.db, game.gameId, options),
    secretMemory: {
      find: () => findAcceptedSecret(game.db, game.gameId),
      record: (accepted) => recordAcceptedSecret(game.db, game.gameId, accepted, game.now()),
    },
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}

/** The end of a wait for the rate limit, as the progress of a job has it; null: not waiting. */
export function waitEnd(untilMs: number | null): string | null {
  return untilMs === null ? null : new Date(untilMs).toISOString();
}

/** Why a request to Invo failed, for a person: what happened, what is safe, and the reference to quote. */
export interface InvoFailure {
  code: InvoErrorCode;
  sentence: string;
  errorId: string | null;
}

/** Turns an InvoError into a failure to show. Rethrows anything else. */
export function toInvoFailure(error: unknown, target: ReadTarget = {}): InvoFailure {
  if (!(error instanceof InvoError)) throw error;
  return { code: error.code, sentence: formatInvoError(error, target), errorId: error.errorId };
}

import type { Invo, PostResult, WriteResult } from '../invo.ts';
import { InvoError } from '../invo-error.ts';
import { waitOrAbort } from '../retry.ts';
import { decidingCode, errorOfStatus } from '../rules/error-codes.ts';
import { isPlayerLimit } from '../rules/route-codes.ts';
import { type CallEvent, type Endpoint, emptyEvent, type InvoSettings, type Limits, type Route, requestText } from '../settings.ts';
import { postOnce } from './post-once.ts';
import type { Transport } from './send-request.ts';

/**
 * Opens the writes of one game: a new connection each, one try, and one more with the other secret when Invo refused the first with a
 * 401 (which executes nothing). Every try takes from the budget first; a 429 pauses it.
 */
export function openWrites(settings: InvoSettings, endpoint: Endpoint): Invo['write'] {
  const limits = limitsOfWrites(endpoint.limits);
  const transport: Transport = { base: endpoint.base, agent: false, limits };
  return async ({ route, path, body, signal }) => {
    const posting = { request: requestText(endpoint.base, path), body: Buffer.from(body), totalMs: limits.writeMs, signal };
    let tries = 0;
    let last: WriteResult | undefined;
    const oneTry = async (secret: string): Promise<void> => {
      tries++;
      const mayGo = await takeFrom(settings, route, signal);
      const startedAt = endpoint.now();
      const observed = mayGo ? await postOnce(transport, posting, secret, endpoint.slots.all, endpoint.now) : STOPPED;
      last = { ...observed, secret: secret === settings.access.secret ? 'current' : 'previous' };
      const tookMs = endpoint.now() - startedAt;
      // A failing log must not lose what was observed.
      await ignoringErrors(() => endpoint.log({ ...emptyEvent, ...eventOf(observed), route, request: posting.request, tries, tookMs }));
      // A limit of one player holds nobody else up.
      if (observed.status === 429 && !isPlayerLimit(decidingCode(observed))) {
        await ignoringErrors(() => settings.budget.blockUntil(route, endpoint.now() + (observed.retryAfterMs ?? 1_000)));
      }
      const error = secretErrorOf(observed);
      if (error !== null) throw error;
    };
    await endpoint.slots.callWith(oneTry).catch((error: unknown) => {
      const isOurBug = !(error instanceof InvoError) && (last === undefined || secretErrorOf(last) !== null);
      if (isOurBug) throw error;
    });
    if (last === undefined) throw new Error('a write was not tried');
    return last;
  };
}

const ANSWER_MAX_BYTES = 1024 * 1024;

/** The bounds on a write: a small answer, and no deadline but those for the connection and for the whole. */
function limitsOfWrites(limits: Limits): Limits {
  const { receivedBytes, inflatedBytes, writeMs } = limits;
  const answer_max = (bytes: number): number => Math.min(bytes, ANSWER_MAX_BYTES);
  return {
    ...limits,
    receivedBytes: answer_max(receivedBytes),
    inflatedBytes: answer_max(inflatedBytes),
    firstByteMs: writeMs,
    idleMs: writeMs,
  };
}

const STOPPED: PostResult = {
  phase: 'not_sent',
  transportError: 'aborted',
  status: null,
  json: null,
  evidence: null,
  errorCode: null,
  errorId: null,
  retryAfterMs: null,
  facts: {},
  receivedBytes: null,
  inflatedBytes: null,
};

async function takeFrom({ budget }: InvoSettings, route: Route, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await waitOrAbort(signal, () => budget.take(route, signal));
    return true;
  } catch {
    return false;
  }
}

// What makes the other secret worth a try: a secret refused with the documented code, or a request that was not answered.
function secretErrorOf({ phase, transportError, status, errorCode }: PostResult): InvoError | null {
  if (phase !== 'answered') return new InvoError(transportError ?? 'malformed', 'no whole answer');
  const isRefused = status === 401 && (errorCode === null || errorCode === 'INVALID_GAME_SECRET');
  return isRefused ? new InvoError('unauthorized', 'status 401') : null;
}

function eventOf({
  transportError,
  status,
  errorId,
  errorCode,
  facts,
  receivedBytes,
  inflatedBytes,
}: PostResult): Omit<CallEvent, 'route' | 'request' | 'tries' | 'tookMs'> {
  const refused = status !== null && status >= 400 ? errorOfStatus(status, { errorCode, facts }) : 'answered';
  return { outcome: transportError ?? refused, status, errorId, errorCode, receivedBytes, inflatedBytes, waitMs: null };
}

async function ignoringErrors(tell: () => void | Promise<void>): Promise<void> {
  try {
    await tell();
  } catch {
    return;
  }
}

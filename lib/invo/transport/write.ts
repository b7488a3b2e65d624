import { InvoError } from '../invo-error.ts';
import { waitOrAbort } from '../retry.ts';
import { errorOfStatus } from '../rules/error-codes.ts';
import { type CallEvent, type Door, type InvoSettings, type Route, requestText, silentEvent } from '../settings.ts';
import { limitsOfWrites } from './limits.ts';
import { type Posted, postOnce } from './post-once.ts';
import type { Road } from './send-request.ts';

interface Write {
  route: Route;
  path: string;
  body: Uint8Array;
  signal: AbortSignal | undefined;
}

export interface Written extends Posted {
  secret: 'current' | 'previous';
}

/** Sends one write and says what was observed; throws for nothing that Invo, the road, the budget or the log do. */
export type WriteToInvo = (write: Write) => Promise<Written>;

/**
 * Opens the way for writes: a new connection each, one try, once more with the other secret when Invo refused the first with a 401
 * (which carries nothing out). Every try takes from the budget first; a 429 is told to it.
 */
export function openWrites(settings: InvoSettings, door: Door): WriteToInvo {
  const limits = limitsOfWrites(door.limits);
  const road: Road = { base: door.base, agent: false, limits };
  return async ({ route, path, body, signal }) => {
    const posting = { request: requestText(door.base, path), body: Buffer.from(body), totalMs: limits.writeMs, signal };
    let tries = 0;
    let last: Written | undefined;
    const oneTry = async (secret: string): Promise<void> => {
      tries++;
      const mayGo = await takeFrom(settings, route, signal);
      const startedAt = door.now();
      const observed = mayGo ? await postOnce(road, posting, secret, door.slots.all, door.now) : STOPPED;
      last = { ...observed, secret: secret === settings.access.secret ? 'current' : 'previous' };
      const tookMs = door.now() - startedAt;
      // An observation outlives whatever those who listen do with it.
      await quietly(() => door.log({ ...silentEvent, ...eventOf(observed), route, request: posting.request, tries, tookMs }));
      if (observed.status === 429) {
        await quietly(() => settings.budget.blockUntil(route, door.now() + (observed.retryAfterMs ?? 1_000)));
      }
      const trouble = learnable(observed);
      if (trouble !== null) throw trouble;
    };
    await door.slots.callWith(oneTry).catch((error: unknown) => {
      const isOurBug = !(error instanceof InvoError) && (last === undefined || learnable(last) !== null);
      if (isOurBug) throw error;
    });
    if (last === undefined) throw new Error('a write was not tried');
    return last;
  };
}

const STOPPED: Posted = {
  phase: 'not_sent',
  trouble: 'aborted',
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

// What the two slots learn from: a secret refused in the contract's words, or one that was not even looked at.
function learnable({ phase, trouble, status, errorCode }: Posted): InvoError | null {
  if (phase !== 'answered') return new InvoError(trouble ?? 'malformed', 'no whole answer');
  const isRefused = status === 401 && (errorCode === null || errorCode === 'INVALID_GAME_SECRET');
  return isRefused ? new InvoError('unauthorized', 'status 401') : null;
}

function eventOf({
  trouble,
  status,
  errorId,
  errorCode,
  facts,
  receivedBytes,
  inflatedBytes,
}: Posted): Omit<CallEvent, 'route' | 'request' | 'tries' | 'tookMs'> {
  const refused = status !== null && status >= 400 ? errorOfStatus(status, { errorCode, facts }) : 'answered';
  return { outcome: trouble ?? refused, status, errorId, errorCode, receivedBytes, inflatedBytes, waitMs: null };
}

async function quietly(tell: () => void | Promise<void>): Promise<void> {
  try {
    await tell();
  } catch {
    return;
  }
}

import type { Invo, PostResult } from '../invo.ts';
import { waitOrAbort } from '../retry.ts';
import { decidingCode } from '../rules/error-codes.ts';
import { isPlayerLimit } from '../rules/route-codes.ts';
import { type Endpoint, type InvoSettings, ignoringErrors, type Route, requestText } from '../settings.ts';
import { readErrorBody } from './error-response.ts';
import { type AnswerReader, logPost, NO_ANSWER, openWriteTransport, postOnce, postWithSecrets, secretErrorOf } from './post.ts';

/**
 * Opens the writes of one game: a new connection each, one try, and one more with the other secret when Invo refused the first with a
 * 401 (which executes nothing). Every try takes from the budget first; a 429 pauses it.
 */
export function openWrites(settings: InvoSettings, endpoint: Endpoint): Invo['write'] {
  const transport = openWriteTransport(endpoint);
  return async ({ route, path, body, signal }) => {
    const request = requestText(endpoint.base, path);
    const posting = { request, body: Buffer.from(body), totalMs: endpoint.limits.writeMs, signal, secrets: endpoint.slots.all };
    let tries = 0;
    const once = async (secret: string): Promise<PostResult & { by: string }> => {
      tries++;
      const isAllowed = await takeCall(settings, route, signal);
      const startedAt = endpoint.now();
      const credential = { secret };
      const observed = isAllowed ? await postOnce(transport, { ...posting, credential }, READER, endpoint.now) : STOPPED;
      await logPost(endpoint, observed, { route, request, tries, startedAt });
      // A limit of one player holds nobody else up.
      if (observed.status === 429 && !isPlayerLimit(decidingCode(observed))) {
        await ignoringErrors(() => settings.budget.blockUntil(route, endpoint.now() + (observed.retryAfterMs ?? 1_000)));
      }
      return { ...observed, by: secret };
    };
    const { by, ...observed } = await postWithSecrets(endpoint, once, (seen) =>
      secretErrorOf(seen, seen.errorCode === null || seen.errorCode === 'INVALID_GAME_SECRET'),
    );
    return { ...observed, secret: by === settings.access.secret ? 'current' : 'previous' };
  };
}

const STOPPED: PostResult = { ...NO_ANSWER, phase: 'not_sent', transportError: 'aborted', status: null };

async function takeCall({ budget }: InvoSettings, route: Route, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await waitOrAbort(signal, () => budget.take(route, signal));
    return true;
  } catch {
    return false;
  }
}

// A longer answer is cut to this size for evidence; digest and length are those of the whole.
const EVIDENCE_BYTES_MAX = 64 * 1024;

const READER: AnswerReader = {
  parse: JSON.parse,
  read: ({ answer, json, isSafe, evidence, atMs }) => ({
    ...readErrorBody(answer, json ?? {}, json !== null && isSafe, atMs),
    evidence: isSafe ? { ...evidence, received: evidence.received.subarray(0, EVIDENCE_BYTES_MAX) } : null,
  }),
  none: {},
};

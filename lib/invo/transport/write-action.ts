import { parseExactJson } from '#lib/core/exact-json.ts';
import { isSecretName } from '#lib/core/hidden-names.ts';
import type { ActionWriteResult, Invo } from '../invo.ts';
import type { Evidence } from '../invo-error.ts';
import { isPlayerLimit, type RouteFamily, routeCode } from '../rules/route-codes.ts';
import { checkToken, type Endpoint, type InvoSettings, ignoringErrors, type Route, requestText } from '../settings.ts';
import { parseAnswerTree } from '../shapes/answer-tree.ts';
import { withTreeEvidence } from './body.ts';
import { readActionAnswer } from './error-response.ts';
import type { Credential } from './exchange.ts';
import { type AnswerReader, logPost, openWriteTransport, postOnce, postWithSecrets, secretErrorOf, type WholeAnswer } from './post.ts';

/**
 * Opens the desk's writes of one game: a new connection each, one try. With the game's secret there is one more after a 401 that refuses the
 * first, which executes nothing; a player's token is never tried again and says nothing about the secrets. Their calls are taken from the budget before.
 */
export function openActionWrites(settings: InvoSettings, endpoint: Endpoint): Invo['writeAction'] {
  const transport = openWriteTransport(endpoint);
  const { slots, limits, now } = endpoint;
  return async ({ route, family, path, body, token, keep, sentBy, signal }) => {
    const request = requestText(endpoint.base, path);
    const bytes = Buffer.from(body);
    const totalMs = sentBy === 'press' ? limits.pressMs : limits.writeMs;
    const secrets = [...slots.all, ...(token === undefined ? [] : [checkToken(token)]), ...secretsOf(bytes)];
    const reader = readerOf(family, keep);
    let tries = 0;
    const once = async (credential: Credential): Promise<Omit<ActionWriteResult, 'secret'>> => {
      tries++;
      const startedAt = now();
      const observed = await postOnce(transport, { request, credential, body: bytes, totalMs, signal, secrets }, reader, now);
      await logPost(endpoint, observed, { route, request, tries, startedAt });
      const isOfOne = token !== undefined || family === 'phone_share';
      const pausing = observed.status === 429 ? pausedRoute({ route, family, isOfOne }, observed.codes) : null;
      if (pausing !== null) await ignoringErrors(() => settings.budget.blockUntil(pausing, now() + (observed.retryAfterMs ?? 1_000)));
      return observed;
    };
    if (token !== undefined) return { ...(await once({ token })), secret: null };
    const bySecret = async (secret: string): Promise<ActionWriteResult> => {
      return { ...(await once({ secret })), secret: secret === settings.access.secret ? 'current' : 'previous' };
    };
    return postWithSecrets(endpoint, bySecret, (seen) => secretErrorOf(seen, seen.codes.every(isSecretCode)));
  };
}

function isSecretCode(code: string): boolean {
  return code.toUpperCase() === 'INVALID_GAME_SECRET';
}

/**
 * What a 429 pauses: nothing for a limit of one player or phone, the game where its own limit is named, else what the route counts against. A call
 * about one person, without a limit of its own, says nothing of other calls.
 */
function pausedRoute({ route, family, isOfOne }: { route: Route; family: RouteFamily; isOfOne: boolean }, [code]: string[]): Route | null {
  if (code !== undefined && isPlayerLimit(code)) return null;
  if (code !== undefined && routeCode(family, code)?.meaning === 'wait') return { kind: 'other' };
  return isOfOne && route.kind === 'other' ? null : route;
}

/** The values of a body that open or move something: an answer that repeats one is never stored. Shorter ones would be found in everything. */
function secretsOf(body: Buffer): string[] {
  const named = Object.entries(body.length === 0 ? {} : parseBody(body)).filter(([name]) => isSecretName(name));
  return named.flatMap(([, value]) => (typeof value === 'string' && value.length >= SECRET_LENGTH_MIN ? [value] : []));
}

const SECRET_LENGTH_MIN = 4;

// The error of JSON.parse would repeat the body.
function parseBody(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString('utf8')));
  } catch {
    throw new Error('the body of a desk action is JSON');
  }
}

type Codes = Pick<ActionWriteResult, 'codes' | 'prose'>;

function readerOf(family: RouteFamily, keep: 'answer' | 'nothing'): AnswerReader<Codes> {
  return {
    parse: parseExactJson,
    read: (whole) => {
      const { answer, json, isSafe, atMs } = whole;
      const said = readActionAnswer(answer, json ?? {}, { isSafe: json !== null && isSafe, family, nowMs: atMs });
      return { ...said, evidence: keep === 'nothing' ? null : evidenceOf(whole) };
    },
    none: { codes: [], prose: null },
  };
}

// A longer answer is cut to this size; its digest is that of the whole.
const EVIDENCE_BYTES_MAX = 64 * 1024;

/** The fields of an answer as people may read them. A page that is no JSON could repeat anything of the request, so nothing of it is stored. */
function evidenceOf({ json, isSafe, evidence }: WholeAnswer): Evidence | null {
  const tree = parseAnswerTree(json);
  if (json === null || !isSafe || !tree.isSound) return null;
  const masked = withTreeEvidence({ value: { tree: tree.value }, evidence: { ...evidence, sentAt_ms: 0 } }).evidence;
  return { ...masked, received: masked.received.subarray(0, EVIDENCE_BYTES_MAX) };
}

import { parsePassedUrl } from '#lib/core/game.ts';
import { parseInstant } from '#lib/core/instant.ts';
import type { ActionWriteResult, Invo } from '../invo.ts';
import { type ActionRouteName, sendAction } from './send-action.ts';

/** What a phone approves: one transaction, on one side (document 3, Device grant). `flow` is Invo's word for the side. */
interface GrantOf {
  transactionId: string;
  flow: string;
  /** Of the player whose phone it is. */
  token: string;
}

/** A grant that a phone can approve. `device_code` stays with the server; `shown` goes to the screen that started it. */
interface StartedGrant {
  device_code: string;
  /** Unit: seconds. */
  expires_in: number;
  interval: number;
  shown: { user_code: string; verification_uri: string; verification_uri_complete: string | null };
}

/** What a refusal says, for the person who started the grant. */
type GrantRefusal = Pick<ActionWriteResult, 'status' | 'codes' | 'prose' | 'errorId' | 'retryAfterMs'>;

/**
 * `already_approved`: the code that was issued before settles it. `unclear`: a grant may have been made, whose code nobody has; beginning again replaces
 * it.
 */
export type GrantBeginning =
  | { state: 'started'; grant: StartedGrant }
  | { state: 'already_approved'; expires_at: string | null }
  | { state: 'token_refused' }
  | { state: 'refused'; refusal: GrantRefusal }
  | { state: 'unclear' };

/** A new phone that can be set up. `state` is Invo's word. */
interface Enrolment {
  state: string;
  device_label: string | null;
  match_code: string | null;
}

/** `approved`: the player proved who they are, and nothing has moved. `interval`: seconds until the next poll. */
export type GrantPoll =
  | { state: 'approved'; approved_at: string | null }
  | { state: 'waiting'; interval: number; enrolment: Enrolment | null }
  | { state: 'ended'; error: (typeof GRANT_ENDS)[number] }
  | { state: 'token_refused' };

const GRANT_ENDS = ['expired_token', 'access_denied', 'invalid_grant'] as const;

/** Requests the approval of a player's phone. The call was taken from the rate budget before. Never throws for an error of Invo. */
export async function beginGrant(invo: Invo, { transactionId, flow, token }: GrantOf, signal?: AbortSignal): Promise<GrantBeginning> {
  const body = { transaction_id: transactionId, flow, channel: 'qr' };
  const result = await sendAsPlayer(invo, 'device_begin', { body, token, signal });
  const { phase, status, codes, json } = result;
  if (phase === 'not_sent') return { state: 'refused', refusal: refusalOf(result) };
  if (phase !== 'answered' || json === null || status === null) return { state: 'unclear' };
  if (status === 200) return readStarted(json);
  if (status === 401) return { state: 'token_refused' };
  if (status === 409 && codes[0]?.toUpperCase() === 'DEVICE_APPROVAL_ALREADY_PENDING')
    return { state: 'already_approved', expires_at: parseInstant(json['expires_at']) };
  return status >= 400 && status < 500 ? { state: 'refused', refusal: refusalOf(result) } : { state: 'unclear' };
}

/**
 * Requests whether the phone approved, with the token that the grant was started with. Its five refusals are states; any other answer says nothing, and the
 * interval stays. `interval`: that of the last answer. Never throws for an error of Invo.
 */
export async function pollGrant(
  invo: Invo,
  { transactionId, flow, token, device_code, interval }: GrantOf & { device_code: string; interval: number },
  signal?: AbortSignal,
): Promise<GrantPoll> {
  const { status, codes, json, retryAfterMs } = await sendAsPlayer(invo, 'device_poll', { body: { device_code }, token, signal });
  const unchanged = Math.max(interval, Math.ceil((retryAfterMs ?? 0) / 1000));
  if (json !== null && status === 200 && json['status'] === 'approved') {
    const isOurs = isSameOrAbsent(json['transaction_id'], transactionId) && isSameOrAbsent(json['flow'], flow);
    if (isOurs) return { state: 'approved', approved_at: parseInstant(json['approved_at']) };
  }
  if (status === 401) return { state: 'token_refused' };
  if (json === null || status !== 400) return { state: 'waiting', interval: unchanged, enrolment: null };
  const code = codes[0]?.toLowerCase();
  const error = GRANT_ENDS.find((each) => each === code);
  if (error !== undefined) return { state: 'ended', error };
  const own = code === 'slow_down' ? interval + SLOW_DOWN_S : interval;
  const next = Math.max(unchanged, own, secondsOf(json['interval']) ?? 0);
  return { state: 'waiting', interval: next, enrolment: readEnrolment(json['enrollment']) };
}

/** What a poll that came too early adds to the interval. */
const SLOW_DOWN_S = 5;

/** A grant lives for ten minutes: more is no wait within it. */
const SECONDS_MAX = 600;

async function sendAsPlayer(
  invo: Invo,
  name: ActionRouteName,
  { body, token, signal }: { body: object; token: string; signal: AbortSignal | undefined },
): Promise<ActionWriteResult> {
  const request = { body: Buffer.from(JSON.stringify(body)), playerId: null, token, subject: null, sentBy: 'press' } as const;
  return await sendAction(invo, name, request, signal);
}

function refusalOf({ status, codes, prose, errorId, retryAfterMs }: ActionWriteResult): GrantRefusal {
  return { status, codes, prose, errorId, retryAfterMs };
}

// Without the code, the short code and an address of its own a grant is of no use to anybody.
function readStarted({
  device_code,
  user_code,
  verification_uri,
  verification_uri_complete,
  expires_in,
  interval,
}: Fields): GrantBeginning {
  const isWhole = isWord(device_code) && isWord(user_code) && isAddress(verification_uri);
  if (!isWhole) return { state: 'unclear' };
  // A code that is scanned leads to the page that the screen names, or nowhere.
  const isOfPage = isAddress(verification_uri_complete) && new URL(verification_uri_complete).host === new URL(verification_uri).host;
  const complete = isOfPage ? verification_uri_complete : null;
  return {
    state: 'started',
    grant: {
      device_code,
      expires_in: secondsOf(expires_in) ?? SECONDS_MAX,
      interval: secondsOf(interval) ?? SLOW_DOWN_S,
      shown: { user_code, verification_uri, verification_uri_complete: complete },
    },
  };
}

type Fields = Record<string, unknown>;

function readEnrolment(value: unknown): Enrolment | null {
  const { state, device_label, match_code }: Fields = Object(value);
  return isLabel(state) ? { state, device_label: isLabel(device_label) ? device_label : null, match_code: matchCodeOf(match_code) } : null;
}

function matchCodeOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : isLabel(value) ? value : null;
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= SECONDS_MAX ? value : null;
}

function isSameOrAbsent(value: unknown, requested: string): boolean {
  return (value ?? null) === null || String(value) === requested;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{4,1024}$/.test(value);
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 200;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && parsePassedUrl(value) !== null;
}

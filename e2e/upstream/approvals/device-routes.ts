import { createHash } from 'node:crypto';
import { formatInstant } from '../instant.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { Grant, Token, Transfer } from '../state/desk.ts';
import { findTransfer, sharedDesk } from '../transfers/transfer-data.ts';
import { type Json, type Refusal, sdkRefusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { approvedGrant, beginGrant, LIFETIME_SECONDS, store } from './grants.ts';

const COMMON = { method: 'POST', credential: 'token', codeField: 'code', meter: 'none' } as const;

/** Starts a grant and answers with the code that the screen shows. */
export const deviceBeginRoute: Route = {
  ...COMMON,
  name: 'device-begin',
  pattern: /^\/api\/sdk\/approvals\/device\/begin$/,
  subject: ({ transaction_id: id }) => (typeof id === 'string' ? id : null),
  answer: answerBegin,
};

/** What the phone has answered so far. */
export const devicePollRoute: Route = {
  ...COMMON,
  name: 'device-poll',
  pattern: /^\/api\/sdk\/approvals\/device\/poll$/,
  subject: digestOfCode,
  answer: answerPoll,
};

/** Confirms or refuses a new phone on the screen that shows the code. */
export const deviceEnrolmentRoute: Route = {
  ...COMMON,
  name: 'device-enrolment',
  pattern: /^\/api\/sdk\/approvals\/device\/confirm-enrollment$/,
  subject: digestOfCode,
  answer: answerEnrolment,
};

function answerBegin(call: Call): Json {
  const { token, origin, state } = call;
  const { transaction_id: id, flow, channel = 'qr' } = readObject(call.bytes);
  if (token === null || typeof id !== 'string' || typeof flow !== 'string' || typeof channel !== 'string')
    throw sdkRefusal(400, 'INVALID_INPUT', 'transaction_id and flow are required.');
  const transfer = findTransfer(call, id);
  if (transfer === null) {
    const status = state.shapes.has('device-begin', '400') ? 400 : 404;
    throw sdkRefusal(status, 'TRANSACTION_NOT_FOUND', 'No such transaction in this game.');
  }
  checkFlow(call, transfer, { flow, token });
  const approved = approvedGrant(call, { transactionId: id, flow });
  if (approved !== null)
    throw sdkRefusal(409, 'DEVICE_APPROVAL_ALREADY_PENDING', 'This transaction was approved on the phone already.', {
      expires_at: formatInstant(approved.expiresMs),
    });
  const grant = beginGrant(call, { transactionId: id, flow, playerId: token.player.playerId, token: token.token });
  countExecution(call);
  call.outcome = 'executed';
  return {
    device_code: grant.deviceCode,
    user_code: grant.userCode,
    verification_uri: `${origin}/phone`,
    verification_uri_complete: state.secrets.give('verification_uri_complete', `${origin}/phone?code=${grant.userCode}`),
    expires_in: LIFETIME_SECONDS,
    interval: grant.intervalSeconds,
    channel,
  };
}

/** Refuses a flow that isn't the transaction's, or a token of another player. */
function checkFlow(call: Call, transfer: Transfer, { flow, token }: { flow: string; token: Token }): void {
  const { view } = call;
  const { fromGame, toGame, transactionStatus } = transfer;
  const isReceipt = flow === 'transfer_receipt';
  const isKnown = isReceipt
    ? transfer.kind === 'transfer' && toGame === view.world.gameId
    : flow === flowOf(call, transfer) && fromGame === view.world.gameId;
  if (!isKnown) throw sdkRefusal(400, 'INVALID_INPUT', 'The flow is not one of this transaction.');
  const isOwn = isReceipt
    ? token.player.email === (transfer.toEmail ?? transfer.sender.email)
    : token.player.playerId === transfer.sender.playerId;
  if (!isOwn) throw sdkRefusal(403, 'not_transfer_sender', 'The token names another player than this transaction.');
  if (transactionStatus !== (isReceipt ? 'pending_claim' : 'pending_approval')) throw notPending(transfer);
}

/** The flow that a sender approves in. The documents show none for sends. */
export function flowOf({ state }: Call, { kind }: Transfer): string | null {
  if (kind === 'transfer') return 'transfer';
  if (state.shapes.has('device-begin', 'no_flow')) return null;
  return state.shapes.has('device-begin', 'currency_send') ? 'currency_send' : 'send';
}

/** The refusal of a transaction that waits for nothing. */
export function notPending({ transactionStatus }: Transfer): Refusal {
  return sdkRefusal(400, 'TRANSACTION_NOT_PENDING', 'The transaction waits for no approval.', { current_status: transactionStatus });
}

function answerPoll(call: Call): Json {
  const { view, state, environment } = call;
  const grant = grantOf(call);
  const has = (variant: string): boolean => state.shapes.has('device-poll', variant);
  if (grant.state === 'superseded') throw wordsOnly(400, has('replaced_expired') ? 'expired_token' : 'invalid_grant');
  if (grant.state === 'denied') throw wordsOnly(400, 'access_denied');
  if (grant.expiresMs <= view.nowMs) throw wordsOnly(400, 'expired_token');
  if (grant.state === 'approved' && grant.approvedMs !== null) {
    call.outcome = 'approved';
    const { transactionId, flow, approvedMs } = grant;
    return { status: 'approved', transaction_id: transactionId, flow, approved_at: formatInstant(approvedMs) };
  }
  const polledMs = state.meterNowMs();
  const sinceMs = grant.polledMs === null ? Number.POSITIVE_INFINITY : polledMs - grant.polledMs;
  const isEarly = state.games[environment].isRateLimited && sinceMs >= 0 && sinceMs < grant.intervalSeconds * 1000;
  const interval = grant.intervalSeconds + (isEarly ? 5 : 0);
  store(call, { ...grant, polledMs, intervalSeconds: interval });
  if (isEarly) throw wordsOnly(400, 'slow_down', { interval });
  const { enrolment } = grant;
  const enrollment = {
    state: enrolment?.state === 'confirmed' && has('verified') ? 'verified' : enrolment?.state,
    device_label: enrolment?.deviceLabel,
    match_code: enrolment?.matchCode,
  };
  throw wordsOnly(400, 'authorization_pending', { interval, ...(enrolment === null ? {} : { enrollment }) });
}

function answerEnrolment(call: Call): Json {
  const grant = grantOf(call);
  const { decision } = readObject(call.bytes);
  if (decision !== 'approve' && decision !== 'deny') throw sdkRefusal(400, 'INVALID_INPUT', 'decision is approve or deny.');
  if (grant.state !== 'pending' || grant.enrolment?.state !== 'awaiting_screen')
    throw sdkRefusal(400, 'ENROLLMENT_NOT_PENDING', 'No new phone waits for this screen.');
  const enrolment = { ...grant.enrolment, state: 'confirmed' } as const;
  store(call, decision === 'approve' ? { ...grant, enrolment } : { ...grant, state: 'denied' });
  countExecution(call);
  call.outcome = 'executed';
  return { status: 'success', decision };
}

function grantOf(call: Call): Grant {
  const { device_code: code } = readObject(call.bytes);
  const grant = typeof code === 'string' ? sharedDesk(call).grants.get(code) : undefined;
  const isOwn = grant?.environment === call.environment && grant.playerId === call.token?.player.playerId;
  const isToken = !call.state.shapes.has('device-poll', 'strict') || grant?.token === call.token?.token;
  if (grant === undefined || !isOwn || !isToken) throw wordsOnly(400, 'invalid_grant');
  return grant;
}

function digestOfCode({ device_code: code }: Json): string | null {
  return typeof code === 'string' ? createHash('sha256').update(code).digest('hex') : null;
}

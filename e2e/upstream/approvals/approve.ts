import { formatInstant } from '../instant.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import { approveTransfer } from '../transfers/ledger.ts';
import { findTransfer } from '../transfers/transfer-data.ts';
import { type Json, type Refusal, sdkRefusal } from '../wire/answer.ts';
import { parseObject } from '../wire/read-request.ts';
import { flowOf, notPending } from './device-routes.ts';
import { countForbidden, passkeysNotEnabled } from './forbidden.ts';
import { approvedGrant } from './grants.ts';

const FIVE_HOURS_MS = 5 * 3_600_000;

/** Approves a send: makes its coins collectable, once. The receiver gets the claim code by text. */
export const sendApproveRoute: Route = {
  name: 'send-approve',
  method: 'POST',
  pattern: /^\/api\/sdk\/send\/([^/]+)\/approve$/,
  credential: 'token',
  codeField: 'code',
  meter: 'none',
  subject: (_body, [id]) => id ?? null,
  answer(call) {
    const approved = approve(call, 'send');
    if (call.state.shapes.has('send-approve', 'empty')) return {};
    if (call.state.shapes.has('send-approve', 'success')) return { status: 'success', transaction_id: approved.transactionId };
    return approvedBody(approved);
  },
};

/** Approves a transfer, and shows its claim code this once. */
export const transferApproveRoute: Route = {
  name: 'transfer-approve',
  method: 'POST',
  pattern: /^\/api\/sdk\/transfers\/([^/]+)\/approve$/,
  credential: 'token',
  codeField: 'code',
  meter: 'none',
  subject: (_body, [id]) => id ?? null,
  answer(call) {
    const approved = approve(call, 'transfer');
    return { ...approvedBody(approved), claim_code: approved.claimCode };
  },
};

/** What both approve routes answer; a transfer's also carries the claim code. */
function approvedBody({ transactionId, claimUntilMs }: Transfer): Json {
  return {
    status: 'approved',
    next: 'pending_claim',
    transaction_id: transactionId,
    claim_code_expires_at: formatInstant(claimUntilMs ?? 0),
  };
}

/** Approves a transaction of the caller's with the factor in the body, once, or refuses as the documents list it. */
function approve(call: Call, kind: Transfer['kind']): Transfer {
  const { token, view } = call;
  const transfer = findTransfer(call, call.params[0] ?? '');
  if (token === null || transfer === null || transfer.kind !== kind)
    throw sdkRefusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction in this game.');
  const { transactionId, sender, fromGame, transactionStatus } = transfer;
  if (token.player.playerId !== sender.playerId || fromGame !== view.world.gameId)
    throw sdkRefusal(403, 'not_transfer_sender', 'The token’s player did not start this transfer.');
  const deviceCode = readFactor(call, kind);
  checkGuardian(transfer);
  if (transactionStatus !== 'pending_approval') throw notPending(transfer);
  const grant = approvedGrant(call, { transactionId, flow: flowOf(call, transfer) ?? '' });
  if (grant === null || grant.deviceCode !== deviceCode || grant.playerId !== token.player.playerId)
    throw sdkRefusal(400, 'DEVICE_APPROVAL_NOT_APPROVED', 'No approved device code of this transaction.');
  countExecution(call);
  call.outcome = 'executed';
  return approveTransfer(call, transfer, call.state.shapes.has('transfer-approve', 'claim_5h') ? FIVE_HOURS_MS : undefined);
}

/** The device code of a body with exactly one factor. Other factors belong to the player's own device, and are counted. */
export function readFactor(call: Call, kind: Transfer['kind'] | 'receipt'): string {
  const body = parseObject(call.bytes) ?? {};
  const hasPasskey = 'webauthn_assertion' in body;
  const hasSignals = ['device_fingerprint', 'device_signal', 'biometric_verified'].some((name) => name in body);
  if (hasPasskey) countForbidden(call, `${kind}-passkey`);
  if (hasSignals) countForbidden(call, `${kind}-device-signals`);
  const { device_code: code } = body;
  if (hasPasskey && !hasSignals && code === undefined) throw passkeysNotEnabled();
  if (hasPasskey || hasSignals || typeof code !== 'string') throw invalidFactor();
  return code;
}

function invalidFactor(): Refusal {
  return sdkRefusal(400, 'INVALID_INPUT', 'Send exactly one factor.');
}

/** Refuses while the guardian hasn't answered, and for good after a refusal. */
export function checkGuardian({ guardian }: Transfer): void {
  if (guardian?.state === 'pending') throw sdkRefusal(202, 'GUARDIAN_APPROVAL_PENDING', 'The guardian has not answered yet.');
  if (guardian?.state === 'rejected') throw sdkRefusal(410, 'GUARDIAN_APPROVAL_REJECTED', 'The guardian declined.');
  if (guardian?.state === 'expired') throw sdkRefusal(410, 'GUARDIAN_APPROVAL_EXPIRED', 'The guardian did not answer in time.');
}

import { readFactor } from '../approvals/approve.ts';
import { notPending } from '../approvals/device-routes.ts';
import { approvedGrant } from '../approvals/grants.ts';
import { checkPhone } from '../players/phone-share.ts';
import { type Call, countExecution, type Route, type Title } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import { CLAIM_WANTS } from '../state/shapes.ts';
import { type Json, Refusal, sdkRefusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { canonicalPhone } from '../world/phones.ts';
import { currencyOf } from '../world/tenants.ts';
import { collectTransfer } from './ledger.ts';
import { findByClaimCode, findTransfer } from './transfer-data.ts';

/** Collects a transfer with the receiver's phone. */
export const confirmReceiptRoute: Route = {
  name: 'confirm-receipt',
  method: 'POST',
  pattern: /^\/api\/sdk\/transfers\/([^/]+)\/confirm-receipt$/,
  credential: 'token',
  codeField: 'code',
  meter: 'none',
  subject: (_body, [id]) => id ?? null,
  answer: answerReceipt,
};

/** Collects a transfer with its claim code. */
export const claimTransferRoute: Route = {
  name: 'claim-transfer',
  method: 'POST',
  pattern: /^\/api\/transfers\/claim-transfer$/,
  credential: 'secret',
  meter: 'none',
  subject: (body, _params, _bytes, title) => findByClaimCode(title, body['claim_code'])?.transactionId ?? 'unknown code',
  answer: answerClaim,
};

function answerReceipt(call: Call): Json {
  const { token, view } = call;
  const transfer = findTransfer(call, call.params[0] ?? '');
  if (token === null || transfer === null || transfer.kind !== 'transfer' || transfer.toGame !== view.world.gameId)
    throw sdkRefusal(404, 'TRANSACTION_NOT_FOUND', 'No such transfer into this game.');
  if (token.player.email !== (transfer.toEmail ?? transfer.sender.email))
    throw sdkRefusal(403, 'not_transfer_receiver', 'The token’s player does not receive this transfer.');
  const deviceCode = readFactor(call, 'receipt');
  if (transfer.transactionStatus !== 'pending_claim') throw notPending(transfer);
  const grant = approvedGrant(call, { transactionId: transfer.transactionId, flow: 'transfer_receipt' });
  if (grant === null || grant.deviceCode !== deviceCode || grant.playerId !== token.player.playerId)
    throw sdkRefusal(400, 'DEVICE_APPROVAL_NOT_APPROVED', 'No approved device code of this transaction.');
  return collected(call, transfer, 'device_grant');
}

function answerClaim(call: Call): Json {
  const body = readObject(call.bytes);
  const { claim_code: code, target_currency_id: currencyId } = body;
  if (typeof code !== 'string' || code === '') throw invalid(call, 'claim_code is required.', 'claim_code');
  if (currencyId !== currencyOf(call.view.world.gameId).id)
    throw invalid(call, 'target_currency_id must be a currency of this game.', 'target_currency_id');
  const transfer = findByClaimCode(call, code);
  if (transfer === null) throw invalid(call, 'The claim code is not valid.', null);
  const email = transfer.toEmail ?? transfer.sender.email;
  const { shapes } = call.state;
  const missing = CLAIM_WANTS.filter((field) => shapes.has('claim-transfer', `wants_${field}`) && typeof body[field] !== 'string');
  if (missing.length > 0) throw wordsOnly(400, `Missing: ${missing.join(', ')}.`, { fields: missing });
  if (shapes.has('claim-transfer', 'wants_player')) checkPlayer(call, body);
  checkGiven(body, transfer, email);
  if (transfer.transactionStatus !== 'pending_claim')
    throw wordsOnly(409, 'This transfer is over.', { transaction_id: transfer.transactionId, current_status: transfer.transactionStatus });
  checkPhone(call, transfer.toPhone, email);
  return collected(call, transfer, null);
}

/** The same with the player beside the code, as the shape wants it. */
function checkPlayer(call: Call, body: Json): void {
  const [given, phone] = [body['player_email'], canonicalPhone(body['player_phone'])];
  if (typeof given !== 'string') throw invalid(call, 'player_email is required.', 'player_email');
  if (phone === null) throw invalid(call, 'player_phone is required.', 'player_phone');
}

/** A claim that names its player must name the receiver. */
function checkGiven({ player_email: email, player_phone: phone }: Json, { toPhone }: Transfer, receiver: string): void {
  const isTheirs =
    (typeof email !== 'string' || email.trim().toLowerCase() === receiver) && (phone === undefined || canonicalPhone(phone) === toPhone);
  if (!isTheirs) throw wordsOnly(400, 'The claim code is another player’s.', {});
}

function collected(call: Call, transfer: Transfer, via: string | null): Json {
  const { transactionId, netAmount, toGame } = collectTransfer(call, transfer, via);
  countExecution(call);
  call.outcome = 'executed';
  if (call.state.shapes.has('claim-transfer', 'bare')) return { status: 'success' };
  return { status: 'success', transaction_id: transactionId, amount_received: netAmount, currency_name: currencyOf(toGame).name };
}

// The documents show no refusal of either.
function invalid({ state }: Pick<Title, 'state'>, words: string, field: string | null): Refusal {
  const facts = field === null ? {} : { field };
  return state.shapes.has('claim-transfer', 'codes') ? new Refusal(400, 'CLAIM_REFUSED', words, facts) : wordsOnly(400, words, facts);
}

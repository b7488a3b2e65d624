import type { Call, Route } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { claimUntil, findTransfer, pendingIn } from './transfer-data.ts';

export const transferStatusRoute: Route = {
  name: 'transfer-status',
  method: 'GET',
  pattern: /^\/api\/transfers\/([^/]+)\/status$/,
  credential: 'secret',
  meter: 'none',
  answer: answerStatus,
};

export const approvalStatusRoute: Route = {
  name: 'approval-status',
  method: 'GET',
  pattern: /^\/api\/transactions\/([^/]+)\/approval-status$/,
  credential: 'secret',
  meter: 'none',
  answer: answerApproval,
};

export const inboundPendingRoute: Route = {
  name: 'inbound-pending',
  method: 'GET',
  pattern: /^\/api\/transfers\/inbound-pending$/,
  credential: 'secret',
  meter: 'none',
  answer: answerInbound,
};

function transferOf(call: Call, isStatus: boolean): Transfer {
  const transfer = findTransfer(call, call.params[0] ?? '');
  const isHidden = transfer?.kind === 'send' && isStatus && call.state.shapes.has('send-approve', 'no_status');
  if (transfer === null || isHidden) throw new Refusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction in this game.');
  return transfer;
}

function answerStatus(call: Call): Json {
  const transfer = transferOf(call, true);
  const { view, state } = call;
  const has = (variant: string): boolean => state.shapes.has('transfer-status', variant);
  const isDestination = transfer.toGame === view.world.gameId;
  const claimUntilText = claimUntil(transfer);
  return {
    status: 'success',
    transaction_id: has('other') ? 'TRF_OTHER' : transfer.transactionId,
    transaction_status: has('new_status') ? 'under_review' : transfer.transactionStatus,
    verification_state: has('new_status') ? 'paused_by_operator' : transfer.verification,
    amount: has('number_money') ? Number(transfer.amount) : transfer.amount,
    net_amount: transfer.netAmount,
    claim_info: claimUntilText === null ? {} : { claim_code_expires_at: claimUntilText },
    ...(has('fees_object')
      ? { fees_preview: { total_fee: '5.00', platform_fee: '1.00' }, transfer_policy: { policy_applied: 'universal' } }
      : {}),
    ...(has('fees_text') ? { fees_preview: '2 % + 2 % + 1 %', transfer_policy: 'universal' } : {}),
    ...(has('test_code')
      ? {
          test_code: 'canary-test-code',
          sms_pin: 'canary-pin',
          claim_code: 'canary-claim-code',
          message: `Code sent to ${transfer.toPhone}, or ${transfer.toPhone.slice(1)}`,
        }
      : {}),
    ...(isDestination ? { to_phone: transfer.toPhone } : {}),
    ...(isDestination && !has('no_identity') ? { to_identity_id: transfer.toIdentityId } : {}),
  };
}

function answerApproval(call: Call): Json {
  const transfer = transferOf(call, false);
  const has = (variant: string): boolean => call.state.shapes.has('approval-status', variant);
  if (transfer.guardian === null || has('not_found'))
    throw new Refusal(404, 'APPROVAL_NOT_FOUND', 'No guardian approval for this transaction.');
  const extra = {
    approval_id: 'APR_1',
    guardian_phone: '+4915198765432',
    message: 'A link was sent to +4915198765432.',
    consent_channel: 'email',
    poll_endpoint: 'https://elsewhere.example/api/transactions/TRF_OTHER/approval-status',
    next_endpoint: '/api/transfers/TRF_OTHER/status',
    expires_at: '2026-11-23T12:00:00.000Z',
  };
  return { status: 'ok', approval: { state: has('new_state') ? 'escalated' : transfer.guardian.state, ...(has('extra') ? extra : {}) } };
}

// The contract shows no shape of this list.
function answerInbound(call: Call): Json {
  const has = (variant: string): boolean => call.state.shapes.has('inbound-pending', variant);
  const rows = has('empty') ? [] : pendingIn(call, has('identity'));
  if (has('none')) return { status: 'success', message: 'See the console.' };
  if (has('transfers')) return { status: 'success', transfers: rows };
  if (has('items')) return { status: 'success', items: rows };
  if (has('pages'))
    return { status: 'success', data: { pagination: { total_count: rows.length, has_more: has('more') }, transfers: rows } };
  if (has('more_flat')) return { status: 'success', transfers: rows, has_more: true };
  if (has('cursor')) return { status: 'success', transfers: rows, next_cursor: 'cursor-2' };
  if (has('total')) return { status: 'success', pagination: { total_count: 120, limit: 50 }, transfers: rows };
  if (has('renamed'))
    return {
      status: 'success',
      pending: rows.map(({ transaction_id, ...row }) => ({ ref: transaction_id, how_much: row['amount'], flags: ['a', 'b'] })),
    };
  // An array at the top is an object to the type that carries it.
  return rows as unknown as Json;
}

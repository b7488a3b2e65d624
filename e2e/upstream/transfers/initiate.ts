import { formatInstant } from '../instant.ts';
import { findPlayer, walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { type Call, countExecution } from '../route.ts';
import { nextNumber, type Transfer } from '../state/desk.ts';
import { type Json, Refusal, Reply } from '../wire/answer.ts';
import { SUPPORT_PEOPLE } from '../world/support-people.ts';
import { currencyOf, findTenant, LINKED_GAME_IDS } from '../world/tenants.ts';
import {
  checkKey,
  checkPolicy,
  checkShare,
  checkVelocity,
  coolingDown,
  invalid,
  originBlocked,
  type StartRequest,
} from './initiate-checks.ts';
import { feesOf, hundredths, openTransfer, store } from './ledger.ts';
import { sharedDesk } from './transfer-data.ts';

const WINDOW_MINUTES = 10;
const GUARDIAN_MS = 48 * 3_600_000;

/** Reserves coins and opens the approval window, once per key, or refuses in the order in which the documents list the reasons. */
export function initiate(call: Call, request: StartRequest): Reply {
  const { view, support, state } = call;
  const has = (variant: string): boolean => state.shapes.has('starts', variant);
  const held = checkKey(call, request, has);
  if (held !== null) return resume(call, held, request);
  const own = view.world.gameId;
  const tenant = findTenant(request.toGame, own);
  if (tenant === null) throw invalid(call, 'The receiving title is unknown.', 'UNKNOWN_TITLE');
  if (request.kind === 'transfer' && tenant.gameId === own) throw invalid(call, 'The coins are in this game already.', 'SAME_GAME');
  checkPolicy(call, request, tenant);
  const sender = findPlayer(view, request.senderEmail)?.player ?? null;
  const amount = hundredths(request.amount);
  if (sender === null || walletOf(support, sender.playerId).available < amount)
    throw invalid(call, 'The balance is too small.', 'INSUFFICIENT_BALANCE');
  const { playerId } = sender;
  if (playerId === SUPPORT_PEOPLE['eli.moss'].playerId && amount > 4_000n) throw originBlocked();
  if (playerId === SUPPORT_PEOPLE['fay.rook'].playerId) throw coolingDown(call, has('epoch'));
  if (has('guardian_required')) throw new Refusal(403, 'GUARDIAN_REQUIRED', 'The player has no guardian who can agree.');
  checkVelocity(call, request, playerId, has('repeat_409'));
  if (!has('held_reserved')) checkShare(call, request);
  const number = String(nextNumber(sharedDesk(call), 'transfers')).padStart(6, '0');
  const isMinor = playerId === SUPPORT_PEOPLE['cato.lind'].playerId;
  const minutes = has('short_window') ? 7 : WINDOW_MINUTES;
  const receiver = request.toEmail === null ? null : (findPlayer(view, request.toEmail)?.player ?? null);
  const transfer: Transfer = {
    transactionId: `${request.kind === 'send' ? 'SND' : 'TRF'}_${own}_${number}`,
    orderId: `ORD_${request.kind === 'send' ? 'SND' : 'TRF'}_${own}_${number}`,
    kind: request.kind,
    key: request.key,
    fromGame: own,
    toGame: tenant.gameId,
    sender,
    toEmail: request.toEmail,
    toPhone: request.toPhone,
    toIdentityId: receiver?.identityId ?? null,
    amount: formatCoins(amount),
    netAmount: feesOf(request.amount, tenant.gameId !== own).net_amount,
    transactionStatus: 'pending_approval',
    verification: 'awaiting',
    createdMs: view.nowMs,
    approveUntilMs: isMinor && has('late_window') ? null : view.nowMs + minutes * 60_000,
    claimCode: null,
    claimUntilMs: null,
    guardian: isMinor ? { approvalId: `GRD_${number}`, state: 'pending', expiresMs: view.nowMs + GUARDIAN_MS } : null,
    isHeld: false,
    isReserved: false,
  };
  if (has('held_reserved')) holdWithCoins(call, transfer, request);
  const opened = isMinor && has('unreserved') ? store(call, transfer) : openTransfer(call, transfer);
  countExecution(call);
  call.outcome = 'executed';
  return answerOf(call, opened, request);
}

function answerOf(call: Call, transfer: Transfer, request: StartRequest): Reply {
  return transfer.guardian === null
    ? new Reply(201, startedBody(call, transfer, request))
    : new Reply(202, heldBody(call, transfer, request));
}

/** In the shape held_reserved: reserves the coins of a start whose receiver's number is another's, before it is refused. */
function holdWithCoins(call: Call, transfer: Transfer, request: StartRequest): void {
  try {
    checkShare(call, request);
  } catch (error) {
    openTransfer(call, { ...transfer, isHeld: true });
    countExecution(call);
    throw error;
  }
}

/** The same start again: it makes nothing new, and succeeds once the owner of the number has agreed. */
function resume(call: Call, held: Transfer, request: StartRequest): Reply {
  checkShare(call, request);
  call.outcome = 'executed';
  return answerOf(call, store(call, { ...held, isHeld: false }), request);
}

function startedBody(call: Call, transfer: Transfer, request: StartRequest): Json {
  return {
    status: 'success',
    message: 'The coins are reserved until the sender approves.',
    ...idsAndWindow(call, transfer),
    new_balance: formatCoins(walletOf(call.support, transfer.sender.playerId).available),
    currency_name: currencyOf(transfer.fromGame).name,
    verification_method: call.state.shapes.has('starts', 'sms') ? 'sms' : 'in_app',
    ...detailsOf(call, transfer, request),
  };
}

function heldBody(call: Call, transfer: Transfer, request: StartRequest): Json {
  const { approvalId, state, expiresMs } = transfer.guardian ?? { approvalId: '', state: 'pending', expiresMs: 0 };
  const { verification_expires_at: _, ...ids } = idsAndWindow(call, transfer);
  return {
    status: 'pending_guardian_approval',
    ...ids,
    guardian_approval: {
      approval_id: approvalId,
      state,
      expires_at: formatInstant(expiresMs),
      poll_endpoint: `/api/transactions/${transfer.transactionId}/approval-status`,
      resend_endpoint: '/api/guardian/resend',
    },
    consent_channel: 'email',
    ...detailsOf(call, transfer, request),
  };
}

function idsAndWindow({ environment }: Call, { transactionId, orderId, approveUntilMs }: Transfer): Json {
  return {
    transaction_id: transactionId,
    order_id: orderId,
    ...(approveUntilMs === null ? {} : { verification_expires_at: formatInstant(approveUntilMs) }),
    ...(environment === 'sandbox' ? { test_code: 'canary-test-code' } : {}),
  };
}

function detailsOf(call: Call, transfer: Transfer, request: StartRequest): Json {
  const { fromGame, toGame, amount, createdMs, approveUntilMs } = transfer;
  const isCross = fromGame !== toGame;
  const { transferMode } = call.state.games[call.environment];
  const policy = {
    source_universal_transfers: transferMode === 'universal',
    policy_applied: transferMode,
    target_in_linked_list: LINKED_GAME_IDS.includes(toGame),
  };
  const rates = { source_rate_pct: isCross ? '2.00' : '0.00', target_rate_pct: isCross ? '2.00' : '0.00' };
  const [from, to] = [findTenant(fromGame, fromGame), findTenant(toGame, fromGame)];
  const currency = currencyOf(fromGame);
  const common = { currency: currency.name, currency_id: currency.id, amount_initiated: amount };
  const fees = { ...feesOf(amount, isCross), ...rates };
  return {
    ...(request.kind === 'send'
      ? {
          send_details: {
            sending_game: from?.name,
            receiving_game: to?.name,
            receiving_game_id: Number(toGame),
            ...common,
            fees_preview: fees,
            receiver_phone: transfer.toPhone,
            send_type: isCross ? 'cross_game' : 'same_game',
            transfer_policy: policy,
          },
        }
      : {
          transfer_details: {
            source_game: from?.name,
            target_game: to?.name,
            target_game_id: toGame,
            ...common,
            fees_preview: call.state.shapes.has('initiate-transfer', 'fees_text') ? '2 % + 2 % + 1 %' : fees,
            transfer_policy: policy,
          },
        }),
    verification_required: {
      phone_number_masked: `${request.senderPhone.slice(0, 4)}•••••${request.senderPhone.slice(-2)}`,
      pin_expires_in_minutes: approveUntilMs === null ? WINDOW_MINUTES : Math.round((approveUntilMs - createdMs) / 60_000),
    },
  };
}

import { formatInstant } from '../instant.ts';
import { walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import { approveTransfer, hundredths } from '../transfers/ledger.ts';
import { findTransfer, sharedDesk } from '../transfers/transfer-data.ts';
import { type Json, Refusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { findTenant } from '../world/tenants.ts';
import { checkGuardian } from './approve.ts';
import { passkeysNotEnabled } from './forbidden.ts';

/** Routes that answer as documented and that Sharebook must never call: each call counts under `forbidden`. */
export const forbiddenRoutes: readonly Route[] = [
  forbidden('verify-pin', /^\/api\/transfers\/verify-sms$/, (call) => verifyPin(call, 'transfer')),
  forbidden('verify-send-pin', /^\/api\/currency-sends\/verify-sms$/, (call) => verifyPin(call, 'send')),
  forbidden('resend-pin', /^\/api\/transfers\/resend-pin$/, resendPin),
  forbidden('passkey', /^\/api\/sdk\/transfers\/[^/]+\/approve\/webauthn\/begin$/, refusePasskey, 'token'),
  forbidden('phone-share-approve', /^\/api\/wallet\/phone-share\/approve$/, refuseCode, 'either'),
  forbidden('phone-share-reject', /^\/api\/wallet\/phone-share\/reject$/, refuseCode, 'either'),
  forbidden('withdrawal', /^\/api\/withdrawals\/request$/, refuseWithdrawal),
];

function forbidden(subject: string, pattern: RegExp, answer: Route['answer'], credential: Route['credential'] = 'secret'): Route {
  return { name: 'forbidden', method: 'POST', pattern, credential, meter: 'none', subject: () => subject, answer };
}

/** The code that every text of the simulated service has. */
const PIN = '424242';
const TRIES = 3;
const RESEND_MS = 30_000;

/** Approves with a texted code: the same state as the approve route. */
function verifyPin(call: Call, kind: Transfer['kind']): Json {
  const { sms_pin: pin } = readObject(call.bytes);
  const transfer = findPending(call, kind);
  checkGuardian(transfer);
  const { counters } = sharedDesk(call);
  const key = `pin|${transfer.transactionId}`;
  const wrong = counters.get(key) ?? 0;
  if (wrong >= TRIES || pin !== PIN) {
    counters.set(key, wrong + 1);
    throw wordsOnly(400, 'The code is not valid.', { attempts_remaining: Math.max(0, TRIES - wrong - 1) });
  }
  const approved = approveTransfer(call, transfer);
  countExecution(call);
  call.outcome = 'executed';
  return kind === 'send' ? { status: 'success', transaction_id: approved.transactionId } : pinBody(call, approved);
}

function pinBody({ support }: Call, transfer: Transfer): Json {
  const { transactionId, orderId, amount, netAmount, fromGame, toGame, claimCode, claimUntilMs, sender } = transfer;
  const balance = formatCoins(walletOf(support, sender.playerId).available);
  return {
    status: 'success',
    transaction_id: transactionId,
    new_balance: balance,
    claim_code: claimCode,
    claim_instructions: {
      message: 'Enter the code in the other game.',
      target_game_id: toGame,
      target_game_name: findTenant(toGame, fromGame)?.name ?? null,
      claim_code_expires_at: formatInstant(claimUntilMs ?? 0),
    },
    transfer_summary: {
      amount_initiated: amount,
      net_amount_for_claim: netAmount,
      fees_deducted: formatCoins(hundredths(amount) - hundredths(netAmount)),
      source_player_current_available_balance: balance,
    },
    order_id: orderId,
  };
}

function resendPin(call: Call): Json {
  const { transactionId } = findPending(call, 'transfer');
  const { counters } = sharedDesk(call);
  const key = `resent|${transactionId}`;
  if (call.view.nowMs - (counters.get(key) ?? 0) < RESEND_MS) throw wordsOnly(429, 'resend_cooldown', { retry_after: RESEND_MS / 1000 });
  counters.set(key, call.view.nowMs);
  return { status: 'resent' };
}

function findPending(call: Call, kind: Transfer['kind']): Transfer {
  const transfer = findTransfer(call, String(readObject(call.bytes)['transaction_id']));
  if (transfer === null || transfer.kind !== kind || transfer.fromGame !== call.view.world.gameId)
    throw new Refusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction in this game.');
  if (transfer.transactionStatus !== 'pending_approval') throw wordsOnly(400, 'pin_expired');
  return transfer;
}

function refusePasskey(): never {
  throw passkeysNotEnabled();
}

// Nobody but the owner of the number has the code.
function refuseCode(): never {
  throw wordsOnly(400, 'The code is not valid.');
}

// The documents show no body of it.
function refuseWithdrawal(): never {
  throw wordsOnly(400, 'The request is not valid.');
}

import { gunzipSync } from 'node:zlib';
import { takeCall } from '#lib/games/writes.ts';
import type { OpenGame } from '../games/open-game.ts';
import { REFUND_CALLS_A_MINUTE, refundBucket } from '../games/shared-budget.ts';
import type { Invo } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { readPeriodReport, reshapePeriodFacts } from '../invo/routes/period-report.ts';
import { type RefundAnswer, sendRefund } from '../invo/routes/send-refund.ts';
import { storedEmailsOf } from '../players/find-player-email.ts';
import { readRefundFacts } from './read-refund-facts.ts';
import type { AttemptAnswer, ReadError, RefundWire } from './rules/ports.ts';
import type { StoredReceipt } from './rules/stored.ts';

const READ_LIMIT_MS = 15_000;

/** The protocol's calls to Invo over a client. Refund calls are taken from the rate budget here, before an attempt starts, not by the client. */
export function refundWire(game: OpenGame, invo: Invo): RefundWire {
  const { db, gameId } = game;
  return {
    takeCall: (subscriptionId) => takeCall(db, gameId, refundBucket(subscriptionId), REFUND_CALLS_A_MINUTE),
    send: async (subscriptionId, bytes) => reshapeAnswer(await sendRefund(invo, { subscriptionId, body: bytes })),
    readPeriod: (periodId) =>
      asReadError(async () => ({
        period: reshapePeriodFacts((await readPeriodReport(invo, periodId, AbortSignal.timeout(READ_LIMIT_MS))).value),
      })),
    readFacts: (periodId) =>
      asReadError(async () => ({
        facts: await readRefundFacts(invo, periodId, game.now(), AbortSignal.timeout(READ_LIMIT_MS), storedEmailsOf({ game })),
      })),
  };
}

async function asReadError<T>(read: () => Promise<T>): Promise<T | ReadError> {
  try {
    return await read();
  } catch (error) {
    // Our code, not Invo's: Invo's codes describe a refund that was sent.
    if (error instanceof InvoError) return { error: error.code, errorId: error.errorId };
    throw error;
  }
}

/** Invo's answer in the shape of the protocol, with its bytes. */
function reshapeAnswer(answer: RefundAnswer): AttemptAnswer {
  const { unreadable, evidence, ...rest } = answer;
  const { facts, receipt, reduced, transportError } = rest;
  return {
    ...rest,
    transportError: transportError ?? (unreadable === null ? null : 'malformed'),
    storedReceipt: receipt === null ? null : pickReceipt(receipt),
    transaction_id: receipt?.transaction_id ?? reduced?.transaction_id ?? facts['transaction_id'] ?? null,
    body: evidence === null ? null : inflated(evidence),
  };
}

/** A receipt as it is stored: what identifies the refund has columns of its own. */
export function pickReceipt(receipt: NonNullable<RefundAnswer['receipt']>): StoredReceipt {
  const { revenue_share_attribution: share, ...rest } = receipt;
  const { recipient_player_id = null } = share ?? {};
  const { refund_key: _, idempotent_replay: __, status: ___, client_request_id: ____, subscription_id: _____, ...amounts } = rest;
  return {
    ...amounts,
    revenue_share_attribution:
      share === null || recipient_player_id === null
        ? null
        : {
            recipient_player_id,
            original_attributed_amount_usd: share.original_attributed_amount_usd,
            refunded_attributed_amount_usd: share.refunded_attributed_amount_usd,
            net_attributed_amount_usd: share.net_attributed_amount_usd,
          },
  };
}

// A body that can't be inflated (cut off at the size limit) is stored as received: nothing may fail between an answer and its record.
function inflated({ contentEncoding, received }: NonNullable<RefundAnswer['evidence']>): Buffer {
  if (contentEncoding !== 'gzip') return received;
  try {
    return gunzipSync(received, { maxOutputLength: 1024 * 1024 });
  } catch {
    return received;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/kit/open.ts';
import { InvoError } from '../invo/invo-error.ts';
import { LONG_WAIT_MS } from '../invo/retry.ts';
import type { Budget, PlayerLimit, Route } from '../invo/settings.ts';
import { type Allowance, endLongWait, LongWait, type LookUp, PROBE, pauseBucket, startLongWait, takeCall } from './writes.ts';

/** Aggregate calls per minute and game that pulls take while people ask as well. */
export const PULL_CALLS_A_MINUTE = 55;

/** Calls per minute and game. Invo allows 60 aggregate, 600 detail and 120 per subscription; a margin absorbs clock differences, and pulls leave room for people who made a request lately. */
const CALLS_A_MINUTE = {
  aggregate: { pull: { shared: PULL_CALLS_A_MINUTE, alone: 58 }, person: { shared: 58, alone: null } },
  detail: { pull: 500, person: 580 },
  subscription: { pull: 100, person: 115 },
  balance: { pull: 1_400, person: 1_400 },
} as const;

/** Calls per minute and player; Invo allows 20 purchases, 60 items and 10 starts of transfers and sends. */
const PLAYER_CALLS_A_MINUTE: Record<PlayerLimit, number> = { purchase: 18, item: 55, initiate: 9 };

/** The bucket of reports, which pulls are made of. */
export const AGGREGATE = 'aggregate';

/** One person's look-ups take half of a budget at most: the rest stays for refunds and for others. */
const LOOK_UP_SHARE = 0.5;

/** Checking again costs a query; a longer sleep would notice late that a pause ended. */
const SLEEP_MAX_MS = 5_000;

/** Invo's limits are per minute: up to a long wait, a longer one applies to the call it answered only, not to every process. */
const PAUSE_MAX_MS = 2 * 60_000;

/** Refund calls per minute and subscription; Invo allows 20. */
export const REFUND_CALLS_A_MINUTE = 15;

/** The bucket of refund calls on one subscription. */
export function refundBucket(subscriptionId: string): string {
  return `refund:${subscriptionId}`;
}

/** The rate budget of a game over Postgres, shared by every process: first come, first served. */
export function sharedBudget(
  db: Db,
  gameId: number,
  options: { caller: 'pull' | 'person'; lookUpBy?: string; onWait?: (untilMs: number | null) => void },
): Budget {
  let isBlocked = false;
  let isProbing = false;
  const { lookUpBy } = options;
  const lookUp = (limit: number | Allowance): LookUp | null => {
    const all = typeof limit === 'number' ? limit : limit.shared;
    return lookUpBy === undefined ? null : { personId: lookUpBy, max: Math.floor(all * LOOK_UP_SHARE) };
  };
  return {
    async take(route: Route, signal?: AbortSignal): Promise<void> {
      for (const { bucket, limit } of bucketsOf(route, options.caller)) {
        let isWaiting = isBlocked;
        isBlocked = false;
        for (;;) {
          signal?.throwIfAborted();
          const wait_ms = await takeCall(db, gameId, bucket, limit, lookUp(limit)).catch(refuseLongWait);
          if (wait_ms === PROBE) isProbing = true;
          if (wait_ms <= 0) break;
          isWaiting = true;
          options.onWait?.(Date.now() + wait_ms);
          await sleep(Math.min(wait_ms, SLEEP_MAX_MS), undefined, signal ? { signal } : {});
        }
        if (isWaiting) options.onWait?.(null);
      }
    },
    async blockUntil(route: Route, untilMs: number): Promise<void> {
      const [first] = route.kind === 'refund' ? [{ bucket: refundBucket(route.subscriptionId) }] : bucketsOf(route, options.caller);
      // The caller sleeps until then by itself, so progress is reported here.
      isBlocked = true;
      options.onWait?.(untilMs);
      const wait_ms = Math.max(0, untilMs - Date.now());
      if (route.kind === 'aggregate' && wait_ms > LONG_WAIT_MS) await startLongWait(db, gameId, AGGREGATE, wait_ms);
      else if (first) await pauseBucket(db, gameId, first.bucket, Math.min(PAUSE_MAX_MS, wait_ms));
    },
    async answered(route: Route): Promise<void> {
      if (!isProbing || route.kind !== 'aggregate') return;
      isProbing = false;
      await endLongWait(db, gameId, AGGREGATE);
    },
  };
}

/**
 * Takes one call of a desk action from the budget, before its attempt is stored and a sender waits for nothing. Unit: milliseconds to wait; 0: it may be
 * sent.
 */
export async function takeActionCall(db: Db, gameId: number, route: Route): Promise<number> {
  for (const { bucket, limit } of bucketsOf(route, 'person')) {
    const wait_ms = await takeCall(db, gameId, bucket, limit);
    if (wait_ms > 0) return wait_ms;
  }
  return 0;
}

/** No call is made during a long wait that Invo requested; a caller learns until when. */
function refuseLongWait(error: unknown): never {
  if (!(error instanceof LongWait)) throw error;
  throw new InvoError('rate_limited', error.message, { status: 429, retryAfterMs: error.wait_ms, isRetryable: false });
}

function bucketsOf(route: Route, caller: 'pull' | 'person'): { bucket: string; limit: number | Allowance }[] {
  switch (route.kind) {
    case 'aggregate':
      return [{ bucket: AGGREGATE, limit: CALLS_A_MINUTE.aggregate[caller] }];
    case 'balance':
      return [{ bucket: 'balance', limit: CALLS_A_MINUTE.balance[caller] }];
    case 'refund':
      // Taken before an attempt begins, so that no attempt waits; a pause Invo requests is still recorded.
      return [];
    case 'purchase':
    case 'item':
    case 'initiate': {
      // The player's own first: it is what a 429 pauses, so that no other player waits.
      const ofPlayer = { bucket: `${route.kind}:${route.playerId}`, limit: PLAYER_CALLS_A_MINUTE[route.kind] };
      return [ofPlayer, { bucket: 'detail', limit: CALLS_A_MINUTE.detail[caller] }];
    }
    case 'loyalty':
    case 'detail':
    case 'other': {
      // The contract states no limit for loyalty and support's other routes: they count as details.
      const limit = CALLS_A_MINUTE.detail[caller];
      const detail = { bucket: 'detail', limit };
      // Loyalty has a backend of its own: its 429 says nothing of other reads.
      if (route.kind === 'loyalty') return [{ bucket: 'loyalty', limit }, detail];
      const ofOne = { bucket: `subscription:${route.subscriptionId}`, limit: CALLS_A_MINUTE.subscription[caller] };
      return route.subscriptionId === undefined ? [detail] : [ofOne, detail];
    }
  }
}

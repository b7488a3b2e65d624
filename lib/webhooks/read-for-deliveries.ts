import { signOfMoney } from '../core/money.ts';
import { messageOf } from '../core/strings.ts';
import { parseRecordId, SUBSCRIPTION_ID } from '../core/typed-input.ts';
import type { GameContext } from '../games/game-context.ts';
import { readOrderDetail } from '../orders/read-order.ts';
import type { RefundState } from '../refunds/rules/state.ts';
import type { PeriodFacts } from '../refunds/rules/stored.ts';
import { type Detail, readDetail } from '../subscriptions/read-detail.ts';
import { periodsRoute, readPeriodDetail, readSubscriptionDetail } from '../subscriptions/read-subscription-detail.ts';
import { readTransferDetail } from '../transfers/read-transfer.ts';
import { countRefundsKnown, findRefundedPeriod, type RefundedPeriod } from './reads/period-of-event.ts';
import { NOT_IN_REPORT, REFUND_REPORTED, REFUND_WAITING, type ReadKind, type ReadOutcome } from './rules/delivery.ts';
import { followEvent } from './rules/event.ts';
import {
  bringCheckForward,
  type ClaimedRead,
  claimRead,
  listOwnDeliveries,
  markOtherGame,
  purgeBodies,
  recordRead,
  recordReadFailure,
  wakeDueReads,
} from './writes/delivery-reads.ts';
import { recordOwnDelivery } from './writes/record-delivery.ts';

/** The result of a reading. `error`: Invo wasn't reached or didn't answer as documented; the reading is repeated later. */
type ReadResult = { outcome: ReadOutcome } | { error: string; message?: string };
type Reader = (context: GameContext, subject: string) => Promise<ReadResult>;

/** How each kind is read. */
const READERS: Record<ReadKind, Reader> = {
  refund: readRefund,
  period: readPeriod,
  subscription: readSubscription,
  order: (context, id) => readRecord(readOrderDetail, context, id),
  transfer: (context, id) => readRecord(readTransferDetail, context, id),
};

/** All readings count as the look-ups of one person, so deliveries leave half of the calls to people. */
const LOOK_UP_BY = 'webhooks';
const LIMIT_MS = 30_000;

/**
 * Makes the reading of a game that has been due longest and returns it; null: none is due. The reading decides everything: no fact of a
 * delivery is copied.
 */
export async function readForDeliveries(context: GameContext): Promise<(ClaimedRead & { result: ReadResult }) | null> {
  const { db, gameId } = context.game;
  const claimed = await claimRead(db, gameId);
  if (claimed === null) return null;
  const result = await READERS[claimed.kind]({ ...context, lookUpBy: LOOK_UP_BY }, claimed.subject).catch(unexpected);
  if ('error' in result) await recordReadFailure(db, claimed, result.error);
  else await recordRead(db, claimed, result.outcome);
  return { ...claimed, result };
}

/** An unexpected error counts as an attempt, so that it isn't repeated forever. `message` is for the log. */
function unexpected(error: unknown): ReadResult {
  return { error: 'unexpected', message: messageOf(error) };
}

/** Finds what no delivery triggers: readings that became due, bodies to delete, and deliveries that turn out to belong to another game. */
export async function sweepDeliveries({ game, config }: GameContext): Promise<void> {
  const pinnedId = config.gameId ?? game.invoGameId;
  await wakeDueReads(game.db, game.gameId);
  await purgeBodies(game.db, game.gameId);
  if (pinnedId === null || pinnedId === undefined) return;
  await markOtherGame(game.db, game.gameId, pinnedId);
  // An id that was configured wrongly and corrected: what Invo delivered meanwhile was answered 200 and doesn't come again.
  for (const { deliveryId, subjects, isStale, ...event } of await listOwnDeliveries(game.db, game.gameId, pinnedId))
    await recordOwnDelivery(game.db, game.gameId, deliveryId, followEvent(event, subjects, { pinnedId, isStale }));
}

/**
 * Reads a refund that Invo reports as made. Ours is checked now, and that check decides. Any other was made outside Sharebook: its period is read, so
 * a pending approval is void if the figures changed.
 */
async function readRefund(context: GameContext, key: string): Promise<ReadResult> {
  const { db, gameId } = context.game;
  const known = await bringCheckForward(db, gameId, key);
  // Invo required a wait before the next call, which meets that first: this is read again in a while.
  if (known?.isWaiting === true) return { error: REFUND_WAITING };
  if (known !== null) return await readPeriodOfOurs(context, REFUND_REPORTED[known.state], known.periodId);
  const period = await findRefundedPeriod(db, gameId, key);
  if (period === null) return { outcome: 'elsewhere_unread' };
  const read = await readRefundedPeriod(context, period);
  if (read === null) return { outcome: 'elsewhere_unread' };
  if ('error' in read) return read;
  // The report decides. If it doesn't show the refund yet, it is read again for a day.
  const known_count = await countRefundsKnown(db, gameId, { ...period, periodId: read.period_id, exceptKey: key });
  return showsMoreRefunds(read, known_count) ? { outcome: 'refunded_elsewhere' } : { error: NOT_IN_REPORT };
}

/** Whether a period's report shows more refunds than the known ones. A report with a sum and no count shows at least one. */
function showsMoreRefunds({ refunds_told, refund_count, refunded_to_date_usd, events }: PeriodFacts, known_count: number): boolean {
  const count = Math.max(refund_count ?? 0, events.length, refunds_told && signOfMoney(refunded_to_date_usd) > 0 ? 1 : 0);
  return count > known_count;
}

/**
 * Reads the period of one of our refunds that isn't waiting for a check. A missing period is reported as missing: Invo knows every period it was
 * requested to refund.
 */
async function readPeriodOfOurs(
  context: GameContext,
  reported: (typeof REFUND_REPORTED)[RefundState],
  periodId: number,
): Promise<ReadResult> {
  if (reported === 'refund_look') return { outcome: reported };
  // The call of the refund is running and gets Invo's answer first: this is read again in a minute.
  if (reported === 'refund_sending') return { error: reported };
  const read = await readPeriod(context, String(periodId));
  const isRead = 'outcome' in read && read.outcome === 'read';
  return isRead || ('outcome' in read && reported === 'refund_contradicted') ? { outcome: reported } : read;
}

const NOTHING_TO_READ: { outcome: ReadOutcome } = { outcome: 'not_found' };

/** Reads the period of a refund made outside Sharebook; null: it wasn't found. */
async function readRefundedPeriod(
  context: GameContext,
  { subscriptionId, periodSeq, periodId }: RefundedPeriod,
): Promise<PeriodFacts | { error: string } | null> {
  const known = periodId ?? (await findPeriodId(context, subscriptionId, periodSeq));
  if (known === null || typeof known !== 'number') return known;
  const detail = await readPeriodDetail(context, known, { limit_ms: LIMIT_MS });
  const result = resultOf(detail);
  if ('error' in result) return result;
  return 'value' in detail ? detail.value.facts : null;
}

/** Finds the id of a period that no stored line has, among the newest periods of its subscription. */
async function findPeriodId(context: GameContext, subscriptionId: string, periodSeq: number): Promise<number | null | { error: string }> {
  if (!SUBSCRIPTION_ID.test(subscriptionId)) return null;
  const read = await readDetail(context, periodsRoute(subscriptionId, 0), { limit_ms: LIMIT_MS });
  const result = resultOf(read);
  if ('error' in result) return result;
  return 'value' in read ? (read.value.periods.find(({ period_seq }) => period_seq === periodSeq)?.period_id ?? null) : null;
}

async function readPeriod(context: GameContext, subject: string): Promise<ReadResult> {
  if (!/^\d{1,15}$/.test(subject)) return NOTHING_TO_READ;
  return resultOf(await readPeriodDetail(context, Number(subject), { limit_ms: LIMIT_MS }));
}

async function readSubscription(context: GameContext, subject: string): Promise<ReadResult> {
  if (!SUBSCRIPTION_ID.test(subject)) return NOTHING_TO_READ;
  const { subscription, periods } = await readSubscriptionDetail(context, subject, { limit_ms: LIMIT_MS });
  const result = resultOf(subscription);
  return 'error' in result || result.outcome === 'not_found' ? result : resultOf(periods);
}

/** Reads an order or a transfer. A webhook of a purchase is about a currency order, never about an item order. */
async function readRecord(read: typeof readOrderDetail | typeof readTransferDetail, context: GameContext, id: string): Promise<ReadResult> {
  return parseRecordId(id) === null ? NOTHING_TO_READ : resultOf(await read(context, id, { limit_ms: LIMIT_MS }));
}

function resultOf(detail: Detail<unknown>): ReadResult {
  if (detail.kind === 'live') return { outcome: 'read' };
  return detail.kind === 'not_found' ? NOTHING_TO_READ : { error: detail.error.code };
}

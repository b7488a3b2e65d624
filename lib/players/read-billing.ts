import type { GameContext } from '../games/game-context.ts';
import type { SubscriptionAttribution } from '../invo/routes/subscription-report.ts';
import type { Subscription } from '../invo/routes/support-reads.ts';
import type { RefundSummary } from '../refunds/reads/refund-preconditions.ts';
import { type Detail, findStoredDetail, type ReadOptions, readDetail } from '../subscriptions/read-detail.ts';
import { periodsRoute } from '../subscriptions/read-subscription-detail.ts';
import { isSubscriptionEnded } from '../subscriptions/rules/subscription.ts';
import { type PlayerSubject, readPlayerSubscriptions, type SubscriptionsRead } from './read-player.ts';
import { listPlayerRecords, type PlayerRecords } from './reads.ts';
import { chooseSubscriptions } from './rules/charges.ts';

// Subscriptions of one player whose periods a page reads at most, each with a request of its own.
const PERIODS_READ_MAX = 8;

/** A subscription with its billing periods, newest first, as Invo reports them; each is live or stored on its own. */
export interface BilledSubscription {
  subscriptionId: string;
  /** Null: known from an earlier answer only, because the list couldn't be read. */
  reported: Subscription | null;
  itemName: string | null;
  /** Invo's status, when the list was read or when it was last seen. */
  status: string | null;
  /** Null: there are more subscriptions than one page reads. */
  periods: Detail<SubscriptionAttribution> | null;
}

/** What a player was billed: their subscriptions with periods, and the refunds requested for them here. */
export interface PlayerBilling {
  list: SubscriptionsRead;
  subscriptions: BilledSubscription[];
  refunds: RefundSummary[];
}

/**
 * Reads a player's subscriptions and the periods of the most recent ones, all at once. While Invo can't be reached for the list, periods are not
 * requested: what is stored of them is returned.
 */
export async function readBilling(context: GameContext, subject: PlayerSubject, options: ReadOptions = {}): Promise<PlayerBilling> {
  const [list, records] = await Promise.all([
    readPlayerSubscriptions(context, { subject }, options),
    listPlayerRecords(context.game.db, context.game.gameId, subject.playerId),
  ]);
  const { refunds } = records;
  if (list.kind === 'other_player') return { list, subscriptions: [], refunds };
  const listed = 'value' in list ? list.value.subscriptions.map(reshapeListed) : records.subscriptions.map(reshapeKnown);
  const chosen = new Set(
    chooseSubscriptions(listed.map(needOf), { most: PERIODS_READ_MAX, isEnded: isSubscriptionEnded }).map(
      ({ subscription_id }) => subscription_id,
    ),
  );
  const failure = 'error' in list ? list.error : null;
  const subscriptions = listed.map(async (each): Promise<BilledSubscription> => {
    if (!chosen.has(each.subscriptionId)) return { ...each, periods: null };
    const route = periodsRoute(each.subscriptionId, 0);
    const periods = failure === null ? await readDetail(context, route, options) : await findStoredDetail(context, route, failure);
    return { ...each, periods };
  });
  return { list, subscriptions: await Promise.all(subscriptions), refunds };
}

type Listed = Omit<BilledSubscription, 'periods'>;

function reshapeListed(reported: Subscription): Listed {
  const { subscription_id: subscriptionId, item_name: itemName, status } = reported;
  return { subscriptionId, reported, itemName, status };
}

function reshapeKnown({ subscriptionId, itemName, status }: PlayerRecords['subscriptions'][number]): Listed {
  return { subscriptionId, reported: null, itemName, status };
}

function needOf({ subscriptionId, reported, status }: Listed): Parameters<typeof chooseSubscriptions>[0][number] {
  return { subscription_id: subscriptionId, status, current_period_start: reported?.current_period_start ?? null };
}

import { inMonth, monthDigits, monthOf } from '../instant.ts';
import type { Period, Player, Recipient, Subscription, World } from '../model.ts';

export interface MonthRules {
  gameId: string;
  /** Every period of a month. */
  periods(month: number): Period[];
  /** Every subscription started in a month. */
  started(month: number): Subscription[];
  recipient(playerId: number): Recipient;
  /** The periods of a hand-written subscription; null for a generated one. */
  periodsOf(subscription: Subscription): Period[] | null;
  /** A player by email, with or without a subscription. */
  player(email: string): Player | null;
  /** Players who may have no subscription; absent: none. */
  people?(): Player[];
  /** The month in which the subscriptions of an email started, when the email itself doesn't name it. */
  startMonthOf(email: string): number | null;
  /** How many months after a renewal its refund may come. */
  refundMonthsMax: number;
}

interface Month {
  paid: Period[];
  refunded: Period[];
  byId: Map<number, Period>;
  bySubscription: Map<string, Period[]>;
}

const FIRST_MONTH = 2000 * 12;
const FIRST_LISTED_MONTH = 2024 * 12;
const LAST_MONTH = 2099 * 12 + 11;
const MONTHS_MAX = 60;

/** A world in which a month is a function of the month alone. Months are generated on demand and cached. */
export function createMonthWorld(rules: MonthRules): World {
  const months = new Map<number, Month>();
  const startedIn = new Map<number, Map<string, Subscription>>();

  function month(number: number): Month {
    const known = months.get(number) ?? indexMonth(rules.periods(number));
    keep(months, number, known);
    return known;
  }
  function started(number: number): Map<string, Subscription> {
    const known = startedIn.get(number) ?? new Map(rules.started(number).map((subscription) => [subscription.id, subscription]));
    keep(startedIn, number, known);
    return known;
  }
  function span(startMs: number, endMs: number, monthsBefore: number): Month[] {
    const from = Math.max(FIRST_MONTH, monthOf(startMs) - monthsBefore);
    const to = Math.min(LAST_MONTH, monthOf(endMs - 1));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => month(from + index));
  }
  return {
    gameId: rules.gameId,
    quietAfterMs: Number.POSITIVE_INFINITY,
    paidBetween: (startMs, endMs) =>
      span(startMs, endMs, 0).flatMap(({ paid }) => paid.filter(({ paidMs }) => paidMs !== null && paidMs >= startMs && paidMs < endMs)),
    refundedBetween: (startMs, endMs) => span(startMs, endMs, rules.refundMonthsMax).flatMap(({ refunded }) => refunded),
    period(id): Period | null {
      const digits = Math.floor(id / 10_000);
      const number = Math.floor(digits / 100) * 12 + (digits % 100) - 1;
      return number < FIRST_MONTH || number > LAST_MONTH || monthDigits(number) !== digits ? null : (month(number).byId.get(id) ?? null);
    },
    subscription(id): Subscription | null {
      const epoch = /^SUB_(\d{9,10})_[0-9A-Z]{8}$/.exec(id)?.[1];
      const number = epoch === undefined ? 0 : monthOf(Number(epoch) * 1000);
      return number < FIRST_MONTH || number > LAST_MONTH ? null : (started(number).get(id) ?? null);
    },
    periodsOf(subscription): Period[] {
      const written = rules.periodsOf(subscription);
      if (written !== null) return written;
      const until = subscription.ends?.atMs ?? inMonth(LAST_MONTH);
      return span(subscription.createdMs, until + 1, 0).flatMap(({ bySubscription }) => bySubscription.get(subscription.id) ?? []);
    },
    subscriptionsOf(email): Subscription[] {
      const digits = Number(/^[a-z]+-(\d{6})-\d+@/.exec(email)?.[1] ?? '0');
      const number = rules.startMonthOf(email) ?? Math.floor(digits / 100) * 12 + (digits % 100) - 1;
      return number < FIRST_MONTH || number > LAST_MONTH
        ? []
        : [...started(number).values()].filter(({ player }) => player.email === email);
    },
    recipient: rules.recipient,
    player: rules.player,
    players(nowMs): Iterable<Player> {
      const listed = new Map((rules.people?.() ?? []).map((player) => [player.email, player]));
      for (let number = FIRST_LISTED_MONTH; number <= monthOf(nowMs); number += 1)
        for (const { player, createdMs } of started(number).values()) if (createdMs <= nowMs) listed.set(player.email, player);
      return listed.values();
    },
  };
}

function indexMonth(periods: Period[]): Month {
  const paid = periods.filter(({ paidMs }) => paidMs !== null).sort((a, b) => (a.paidMs ?? 0) - (b.paidMs ?? 0) || a.id - b.id);
  return {
    paid,
    refunded: paid.filter(({ refunds }) => refunds.length > 0),
    byId: new Map(periods.map((period) => [period.id, period])),
    bySubscription: Map.groupBy(periods, ({ subscription }) => subscription.id),
  };
}

function keep<T>(cache: Map<number, T>, number: number, value: T): void {
  cache.delete(number);
  cache.set(number, value);
  const oldest = cache.keys().next();
  if (cache.size > MONTHS_MAX && oldest.done !== true) cache.delete(oldest.value);
}

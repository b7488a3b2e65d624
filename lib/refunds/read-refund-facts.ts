import { digestOf } from '../core/canonical-digest.ts';
import { compareInstants } from '../core/instant.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { Invo } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { readPeriodReport, reshapePeriodFacts } from '../invo/routes/period-report.ts';
import { readSubscriptionReport, type SubscriptionAttribution } from '../invo/routes/subscription-report.ts';
import { readBalancesOfPlayer, readSubscription } from '../invo/routes/support-reads.ts';
import { type FindStoredEmail, findPlayerEmail, storedEmailsOf } from '../players/find-player-email.ts';
import { baselineOf } from './rules/period.ts';
import type { PeriodFacts, RefundFacts } from './rules/stored.ts';

/** Reads the facts a refund of a period depends on, or returns why Invo couldn't be read. */
export type RefundFactsReader = (context: GameContext, periodId: number) => Promise<RefundFacts | InvoFailure>;

/** Reads the facts for a person who waits, at most five seconds. Stored facts never stand in: without fresh facts no refund starts. */
export async function readFreshFacts(context: GameContext, periodId: number, deadline: Deadline = {}): Promise<RefundFacts | InvoFailure> {
  const read = (invo: Invo, signal: AbortSignal): Promise<RefundFacts> =>
    readRefundFacts(invo, periodId, context.game.now(), signal, storedEmailsOf(context));
  return await askWithin(context, deadline, read).catch(toInvoFailure);
}

/** SHA-256 over the facts a refund decision rests on. When it differs, a decision made on the earlier facts is void. */
export function digestBaseline(period: PeriodFacts): Buffer {
  return digestOf(baselineOf(period));
}

/**
 * Reads the facts a refund of a period depends on: the period, then access and wallet in parallel. Throws InvoError when the period can't
 * be read; access and wallet are null when only they can't. `findStoredEmail` finds a stored email for the wallet where Invo reports none; the
 * wallet of another player is ignored.
 */
export async function readRefundFacts(
  invo: Invo,
  periodId: number,
  now: string,
  signal?: AbortSignal,
  findStoredEmail: FindStoredEmail = async () => null,
): Promise<RefundFacts> {
  const period = reshapePeriodFacts((await readPeriodReport(invo, periodId, signal)).value);
  const [read, cycles] = await Promise.all([
    nullOnInvoError(readSubscription(invo, period.subscription_id, signal)),
    nullOnInvoError(readSubscriptionReport(invo, period.subscription_id, { limit: 100 }, signal)),
  ]);
  const found = read && (await findPlayerEmail(read, findStoredEmail));
  const answered = found && (await nullOnInvoError(readBalancesOfPlayer(invo, found.email, signal)));
  const wallet = answered?.player.player_id === read?.subscription.player_id ? answered : null;
  return {
    period,
    subscription: read && {
      status: read.subscription.status,
      paid_through: read.subscription.paid_through,
      player_id: read.subscription.player_id,
    },
    otherPaidUntil: cycles && { instant: latestEnd(cycles, periodId) },
    wallets: wallet?.balances.map(({ currency_name, available_balance }) => ({ currency_name, available_balance })) ?? null,
    read_at: now,
  };
}

// A partly refunded period still grants access; a fully refunded one doesn't (document 2, states of a period).
function latestEnd({ periods }: SubscriptionAttribution, exceptPeriodId: number): string | null {
  const ends = periods
    .filter((cycle) => cycle.period_id !== exceptPeriodId && cycle.paid_at !== null && cycle.status !== 'refunded')
    .flatMap((cycle) => (cycle.period_end === null ? [] : [cycle.period_end]));
  return ends.toSorted(compareInstants).at(-1) ?? null;
}

async function nullOnInvoError<T>(read: Promise<{ value: T }>): Promise<T | null> {
  try {
    return (await read).value;
  } catch (error) {
    if (error instanceof InvoError) return null;
    throw error;
  }
}

import { compareInstants } from '../core/instant.ts';
import type { InvoClient } from '../invo/client.ts';
import { InvoError } from '../invo/invo-error.ts';
import { reshapePeriodFacts } from '../invo/routes/period-report.ts';
import type { SubscriptionAttribution } from '../invo/routes/subscription-report.ts';
import { type FindHeldEmail, findPlayerEmail } from '../players/find-player-email.ts';
import type { RefundFacts } from './rules/period-facts.ts';

/**
 * Reads what a refund of a period depends on: the period itself, then access and wallet at the same time. Throws InvoError when the
 * period cannot be read; access and wallet are null when only they cannot. `findHeld` finds the e-mail to ask for the wallet by where
 * Invo does not tell it; a wallet of another player is none.
 */
export async function readRefundFacts(
  client: InvoClient,
  periodId: number,
  now: string,
  signal?: AbortSignal,
  findHeld: FindHeldEmail = async () => null,
): Promise<RefundFacts> {
  const period = reshapePeriodFacts((await client.periodReport(periodId, signal)).value);
  const [read, cycles] = await Promise.all([
    orNull(client.subscription(period.subscription_id, signal)),
    orNull(client.subscriptionAttribution(period.subscription_id, { limit: 100 }, signal)),
  ]);
  const found = read && (await findPlayerEmail(read, findHeld));
  const asked = found && (await orNull(client.playerBalances(found.email, signal)));
  const wallet = asked?.player.player_id === read?.subscription.player_id ? asked : null;
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

// A partly refunded period is still billed and counts; one refunded in full no longer does (document 2, states of a period).
function latestEnd({ periods }: SubscriptionAttribution, exceptPeriodId: number): string | null {
  const ends = periods
    .filter((cycle) => cycle.period_id !== exceptPeriodId && cycle.paid_at !== null && cycle.status !== 'refunded')
    .flatMap((cycle) => (cycle.period_end === null ? [] : [cycle.period_end]));
  return ends.toSorted(compareInstants).at(-1) ?? null;
}

async function orNull<T>(asked: Promise<{ value: T }>): Promise<T | null> {
  try {
    return (await asked).value;
  } catch (error) {
    if (error instanceof InvoError) return null;
    throw error;
  }
}

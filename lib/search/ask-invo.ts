import type { Hit } from '#db/search/reads/find-held.ts';
import { askWithin, type Desk, type Patience } from '../games/game-context.ts';
import { type Trouble, troubleOf } from '../games/trouble.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import { balancesRoute, subscriptionsRoute } from '../players/read-player-detail.ts';
import { type Detail, keepDetail, readDetail } from '../subscriptions/read-detail.ts';
import { readPeriodDetail, subscriptionRoute } from '../subscriptions/read-subscription-detail.ts';
import type { LookUp } from './rules/parse-search.ts';

/** What Invo said to a look-up: things, or none and that it knows none; or why it could not be asked. */
export type InvoWord = { kind: 'answered'; hits: Hit[]; isAbsent: boolean } | { kind: 'trouble'; trouble: Trouble };

/** Asks Invo by the one id of the three it can be asked by, and keeps what it answers. */
export async function askInvo(desk: Desk, { email, number, subscriptionId }: LookUp, patience: Patience): Promise<InvoWord> {
  if (email !== null) return await askPlayer(desk, email, patience);
  if (subscriptionId !== null) {
    const read = await readDetail(desk, subscriptionRoute(subscriptionId), patience);
    return wordOf(read, ({ subscription }) => ({
      kind: 'subscription',
      subscriptionId: subscription.subscription_id,
      itemName: subscription.item_name,
      status: subscription.status,
      playerId: subscription.player_id,
    }));
  }
  const read = await readPeriodDetail(desk, number ?? 0, patience);
  return wordOf(read, ({ report: { period } }) => ({
    kind: 'period',
    periodId: period.period_id,
    subscriptionId: period.subscription_id,
    itemName: period.item_name,
    amount_usd: period.amount_usd,
    periodStart: period.period_start,
    periodEnd: period.period_end,
    by: 'period',
  }));
}

function wordOf<T>(detail: Detail<T>, hitOf: (value: T) => Hit): InvoWord {
  if (detail.kind === 'not_found') return { kind: 'answered', hits: [], isAbsent: true };
  if (detail.kind === 'live') return { kind: 'answered', hits: [hitOf(detail.value)], isAbsent: false };
  return { kind: 'trouble', trouble: detail.trouble };
}

/**
 * A player by e-mail: the wallet names the player's id, and the list tells a player without subscriptions from no player at all (trap
 * S1). What was read is kept under the id.
 */
async function askPlayer(desk: Desk, email: string, patience: Patience): Promise<InvoWord> {
  const asked = { playerId: 0, email };
  try {
    const [wallet, list] = await askWithin(desk, patience, (client, signal) =>
      Promise.all([
        client.playerBalances(email, signal).catch((error: unknown) => {
          if (error instanceof InvoError && isAbsent(error)) return null;
          throw error;
        }),
        subscriptionsRoute(asked, 0).ask(client, signal),
      ]),
    );
    const playerId = wallet?.value.player.player_id ?? list.value.subscriptions[0]?.player_id;
    if (playerId === undefined) return { kind: 'answered', hits: [], isAbsent: true };
    const known = { playerId, email };
    if (wallet !== null) await keepDetail(desk, balancesRoute(known), wallet);
    await keepDetail(desk, subscriptionsRoute(known, 0), list);
    const { player_name = null, player_email = null } = wallet?.value.player ?? {};
    return {
      kind: 'answered',
      hits: [{ kind: 'player', playerId, name: player_name, email: player_email ?? email, isRecipient: false }],
      isAbsent: false,
    };
  } catch (error) {
    return { kind: 'trouble', trouble: troubleOf(error) };
  }
}

import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import { NotHere } from '#app/[game]/_subscriptions/not-here.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { foreseeCancel } from '#lib/subscriptions/rules/foresee-cancel.ts';
import styles from '../_change/change.module.css';
import { closedBy, targetOf, tellSubscription } from '../_change/change-words.ts';
import { SubscriptionNow } from '../_change/subscription-now.tsx';
import { type CancelChoice, CancelTool } from './cancel-tool.tsx';
import { sayCancelEffect, sayEnded } from './cancel-words.ts';

/** A subscription and the form that cancels it, or why there is none. */
export async function CancelBody({ game, subscriptionId }: { game: Game; subscriptionId: string }): Promise<ReactElement> {
  const read = await readChangeFacts(await openGameContext(game), subscriptionId);
  if (read.kind === 'not_found') return <NotHere game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  return (
    <div className={styles.page}>
      <CancelTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? sayEnded(read.subscription, game.timeZone) : closedBy(read)}
        open={
          isRead
            ? {
                target: targetOf(game.slug, read),
                told: tellSubscription(read),
                choices: choicesOf(read, game.timeZone),
                isStore: isStore(read),
              }
            : null
        }
      />
      {isRead && <SubscriptionNow game={game} read={read} />}
    </div>
  );
}

function choicesOf({ subscription, readAt }: ChangeFacts, timeZone: string): CancelChoice[] {
  return (['period_end', 'now'] as const).map((when) => ({
    when,
    ...sayCancelEffect(foreseeCancel(subscription, when, readAt), subscription.paid_through, timeZone),
  }));
}

function isStore({ subscription }: ChangeFacts): boolean {
  return subscription.funding_rail === 'pcstore';
}

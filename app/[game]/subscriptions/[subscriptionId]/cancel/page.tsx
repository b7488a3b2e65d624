import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { NotInGame } from '#app/[game]/_subscriptions/read-notices.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { previewCancel } from '#lib/subscriptions/rules/changes.ts';
import styles from '../_change/change.module.css';
import { closedBy, labelsOf, targetOf } from '../_change/change-answers.ts';
import { type ChangeOf, ChangePage, SubscriptionNow } from '../_change/change-page.tsx';
import { endedView, formatCancelPreview } from '../_change/text.ts';
import { type CancelChoice, CancelTool } from './cancel-form.tsx';

export const metadata: Metadata = { title: 'Cancel subscription' };

export default function CancelPage({ params }: { params: Promise<{ game: string; subscriptionId: string }> }): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Cancel subscription"
      intro="Nothing is sent until you confirm."
      body={(change) => <CancelBody {...change} />}
    />
  );
}

/** A subscription and its cancellation form, or why there is none. */
async function CancelBody({ game, subscriptionId, context }: ChangeOf): Promise<ReactElement> {
  const read = await readChangeFacts(context, subscriptionId);
  if (read.kind === 'not_found') return <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = read.kind === 'read';
  return (
    <div className={styles.page}>
      <CancelTool
        back={`/${game.slug}/subscriptions/${subscriptionId}`}
        facts={isRead ? read.subscription : null}
        closed={isRead ? endedView(read.subscription, game.timeZone, read.readAt) : closedBy(read)}
        open={
          isRead
            ? { target: targetOf(game.slug, read), labels: labelsOf(read), choices: choicesOf(read, game.timeZone), isStore: isStore(read) }
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
    ...formatCancelPreview(previewCancel(subscription, when, readAt), subscription.paid_through, timeZone),
  }));
}

function isStore({ subscription }: ChangeFacts): boolean {
  return subscription.funding_rail === 'pcstore';
}

import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { CANCEL_TIMES, previewCancel } from '#lib/subscriptions/rules/changes.ts';
import { ChangePage, type ChangeParams, labelsOf, targetOf } from '../_change/change-page.tsx';
import type { ClosedView } from '../_change/change-state.ts';
import { endedView, formatCancelPreview } from '../_change/text.ts';
import { CancelTool, type OpenCancel } from './cancel-form.tsx';

export const metadata: Metadata = { title: 'Cancel subscription' };

export default function CancelPage({ params }: ChangeParams): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Cancel subscription"
      intro="Nothing is sent until you confirm."
      read={readChangeFacts}
      tool={CancelTool}
      viewOf={viewOf}
    />
  );
}

function viewOf(read: ChangeFacts, game: Game): { closed: ClosedView | null; open: OpenCancel } {
  const { subscription, readAt } = read;
  const choices = CANCEL_TIMES.map((when) => ({
    when,
    ...formatCancelPreview(previewCancel(subscription, when, readAt), subscription.paid_through, game.timeZone),
  }));
  return {
    closed: endedView(subscription, game.timeZone, readAt),
    open: { target: targetOf(game, read), labels: labelsOf(read), choices, isStore: subscription.funding_rail === 'pcstore' },
  };
}

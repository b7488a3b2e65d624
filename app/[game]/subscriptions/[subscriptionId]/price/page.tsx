import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { InvoFact } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { type ChangeFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { findPriceBlocker } from '#lib/subscriptions/rules/changes.ts';
import { PRICE_BLOCKERS } from '#lib/subscriptions/text.ts';
import { ChangePage, type ChangeParams, labelsOf, targetOf } from '../_change/change-page.tsx';
import type { ClosedView } from '../_change/change-state.ts';
import { formatInZone } from '../_change/text.ts';
import { type OpenPrice, PriceTool } from './price-form.tsx';

export const metadata: Metadata = { title: 'Change price' };

export default function PricePage({ params }: ChangeParams): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change price"
      intro="A new price applies at the next renewal. Nothing is charged now, and nothing is sent until you confirm."
      read={readChangeFacts}
      tool={PriceTool}
      viewOf={viewOf}
    />
  );
}

function viewOf(read: ChangeFacts, game: Game): { closed: ClosedView | null; open: OpenPrice | null; more: InvoFact[] } {
  const { amount_usd, current_period_end, paid_through, ...others } = read.subscription;
  const blocker = findPriceBlocker(read.subscription);
  const periodEnd = current_period_end && formatInZone(current_period_end, game.timeZone);
  const { status, cancel_at_period_end, pending_amount_usd, funding_rail } = others;
  return {
    closed: blocker && { kind: 'closed', ...PRICE_BLOCKERS[blocker] },
    open:
      blocker !== null || amount_usd === null
        ? null
        : {
            target: targetOf(game, read),
            labels: labelsOf(read),
            priced: { status, cancel_at_period_end, amount_usd, pending_amount_usd, funding_rail },
            periodEnd: paid_through === null ? null : periodEnd,
          },
    more: [
      { label: 'Last agreed price', value: 'not reported', note: 'the current price is used instead' },
      { label: 'Current period ends', value: periodEnd, field: 'current_period_end' },
    ],
  };
}

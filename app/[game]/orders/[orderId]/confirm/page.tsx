import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { formatMoney } from '#lib/core/money.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';

export const metadata: Metadata = { title: 'Confirm a payment' };

export default async function PaymentConfirmPage({
  params,
}: {
  params: Promise<{ game: string; orderId: string }>;
}): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game: slug, orderId: text } = await params;
  const game = await requireGame(slug);
  const orderId = parseRecordId(decodeURIComponent(text)) ?? notFound();
  return (
    <>
      <PageHead
        title={`Confirm the payment of order ${orderId}`}
        actions={<LinkButton href={`/${slug}/orders/${encodeURIComponent(orderId)}`}>View order</LinkButton>}
      >
        For an order that waits although the player’s bank approved the payment.
      </PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <RequestPage game={game} person={person} target={{ kind: 'payment_confirm', orderId }} text={TEXT} />
      </Suspense>
    </>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  entry: null,
  press: 'Confirm the payment',
  reason: 'technical_fault',
  consequences: ({ order }, name) => [
    `If the bank has approved the payment, Invo completes the order and credits ${formatCoins(order)} to ${name}.`,
    'If it hasn’t, nothing is credited, and you can confirm again later.',
    'Confirming twice is safe: Invo credits the coins once.',
  ],
};

function formatCoins(order: { amounts: { field: string; amount: string }[]; currency_name: string | null } | null): string {
  const coins = order?.amounts.find(({ field }) => field === 'currency_amount')?.amount;
  return coins === undefined ? 'the coins' : `${formatMoney(coins)} ${order?.currency_name ?? 'coins'}`;
}

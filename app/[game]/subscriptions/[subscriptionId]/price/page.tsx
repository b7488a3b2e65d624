import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { ChangePage } from '../_change/change-page.tsx';
import { PriceBody } from './price-body.tsx';

export const metadata: Metadata = { title: 'Change the price' };

interface PricePageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
}

export default function PricePage({ params }: PricePageProps): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change the price"
      words="A new price is staged and charges nothing now. Nothing is sent before you have confirmed it."
      body={(game, subscriptionId) => <PriceBody game={game} subscriptionId={subscriptionId} />}
    />
  );
}

import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { ChangePage } from '../_change/change-page.tsx';
import { CardBody } from './card-body.tsx';

export const metadata: Metadata = { title: 'Change the card' };

interface CardPageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
}

export default function CardPage({ params }: CardPageProps): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Change the card"
      words="The card pays whatever is charged from now on. Nothing is charged now, and nothing is sent before you have confirmed it."
      body={(game, subscriptionId) => <CardBody game={game} subscriptionId={subscriptionId} />}
    />
  );
}

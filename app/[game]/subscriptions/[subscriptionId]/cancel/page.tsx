import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { ChangePage } from '../_change/change-page.tsx';
import { CancelBody } from './cancel-body.tsx';

export const metadata: Metadata = { title: 'Cancel a subscription' };

interface CancelPageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
}

export default function CancelPage({ params }: CancelPageProps): ReactElement {
  return (
    <ChangePage
      params={params}
      title="Cancel a subscription"
      words="Nothing is sent before you have confirmed it. A cancel is not a refund: what was paid stays paid."
      body={(game, subscriptionId) => <CancelBody game={game} subscriptionId={subscriptionId} />}
    />
  );
}

import type { Metadata } from 'next';
import type { ComponentProps, ReactElement } from 'react';
import { CollectPage, type CollectParams } from '../collect-page.tsx';

export const metadata: Metadata = { title: 'Collect with a code' };

export default function ClaimPage({ params }: CollectParams): ReactElement {
  return (
    <CollectPage params={params} title="Collect with a code" targetOf={(transactionId) => ({ kind: 'claim', transactionId })} text={TEXT} />
  );
}

const TEXT: ComponentProps<typeof CollectPage>['text'] = {
  entry: 'claim_code',
  press: 'Collect the transfer',
  reason: 'technical_fault',
  consequences: (_, name) => [
    `Invo credits the coins to ${name} if the code is right.`,
    'It is sent once. Whatever Invo answers, the transfer’s status shows what happened.',
    'After a wrong code, the next one can be entered half an hour later.',
  ],
};

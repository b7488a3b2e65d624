import type { Metadata } from 'next';
import type { ComponentProps, ReactElement } from 'react';
import { CollectPage, type CollectParams } from '../collect-page.tsx';

export const metadata: Metadata = { title: 'Collect with the phone' };

export default function ReceivePage({ params }: CollectParams): ReactElement {
  return (
    <CollectPage
      params={params}
      title="Collect with the phone"
      targetOf={(transactionId) => ({ kind: 'receipt', transactionId, actionId: null })}
      text={TEXT}
    />
  );
}

const TEXT: ComponentProps<typeof CollectPage>['text'] = {
  entry: null,
  press: 'Prepare the collection',
  reason: 'requested_by_player',
  consequences: (_, name) => [
    `Nothing is sent yet. The next page asks the phone of ${name} to approve.`,
    `Once it approved and you collect, Invo credits the coins to ${name}.`,
    'It is sent once. Whatever Invo answers, the transfer’s status shows what happened.',
  ],
};

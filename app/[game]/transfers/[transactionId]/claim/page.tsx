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
  consequences: ({ claim_fields = [] }, name) => [
    ...(claim_fields.includes('player_email')
      ? ['Invo asked for player_email before: Sharebook sends the email of the player’s wallet.']
      : []),
    ...(claim_fields.includes('player_phone')
      ? ['Invo asked for player_phone before: you enter it, and Sharebook stores only its last two digits.']
      : []),
    `Invo credits the coins to ${name} if the code is right.`,
    'It is sent once. Whatever Invo answers, the transfer’s status shows what happened.',
    'After a wrong code, the next one can be entered half an hour later.',
  ],
};

import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { parseRecordId } from '#lib/core/typed-input.ts';

export const metadata: Metadata = { title: 'Collect with a code' };

interface ClaimParams {
  params: Promise<{ game: string; transactionId: string }>;
}

export default async function ClaimPage({ params }: ClaimParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game: slug, transactionId: text } = await params;
  const game = await requireGame(slug);
  const transactionId = parseRecordId(decodeURIComponent(text)) ?? notFound();
  return (
    <>
      <PageHead title="Collect with a code">
        <Link href={`/${slug}/transfers/${encodeURIComponent(transactionId)}`}>Transfer {transactionId}</Link>
      </PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <RequestPage game={game} person={person} target={{ kind: 'claim', transactionId }} text={TEXT} />
      </Suspense>
    </>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  entry: 'claim_code',
  press: 'Collect the transfer',
  reason: 'technical_fault',
  consequences: (_, name) => [
    `Invo credits the coins to ${name} if the code is right.`,
    'It is sent once. Whatever Invo answers, the transfer’s status shows what happened.',
    'After a wrong code, the next one can be entered half an hour later.',
  ],
};

import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ComponentProps, type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { OpenActions } from '#app/[game]/_actions/start-links.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import type { ActionTarget } from '#lib/actions/read-action-facts.ts';
import { findTransferDesk } from '#lib/actions/reads/open-actions.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';

export interface CollectParams {
  params: Promise<{ game: string; transactionId: string }>;
}

interface CollectPageProps extends CollectParams {
  title: string;
  targetOf: (transactionId: string) => ActionTarget;
  text: ComponentProps<typeof RequestPage>['text'];
}

/** The form that collects a transfer into this game, in one of its two ways. */
export async function CollectPage({ params, title, targetOf, text }: CollectPageProps): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game: slug, transactionId: given } = await params;
  const game = await requireGame(slug);
  const transactionId = parseRecordId(decodeURIComponent(given)) ?? notFound();
  const { openActions } = await findTransferDesk(db(), game.gameId, transactionId);
  return (
    <>
      <PageHead title={title}>
        <Link href={`/${slug}/transfers/${encodeURIComponent(transactionId)}`}>Transfer {transactionId}</Link>
      </PageHead>
      {openActions.length > 0 ? (
        <div className={styles.stack}>
          <p>A transfer is collected in one way at a time, and a collection of this one is open.</p>
          <OpenActions slug={slug} actions={openActions} />
        </div>
      ) : (
        <Suspense fallback={<LoadingFromInvo />}>
          <RequestPage game={game} person={person} target={targetOf(transactionId)} text={text} />
        </Suspense>
      )}
    </>
  );
}

import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { openLookUp } from '#app/_server/open-game-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AllFields } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import { KnownTransfers } from '#app/[game]/_desk/known-transfers.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { ReadLine, ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listKnownTransfers } from '#db/transfers/reads.ts';
import { readInboundPending } from '#lib/transfers/read-transfer.ts';
import { NO_CLAIM_WEBHOOK, TRANSFERS_KNOWN } from '#lib/transfers/text.ts';
import { findEventsAbout } from '#lib/webhooks/find-events-about.ts';
import { InboundRows } from './inbound-rows.tsx';

interface TransfersPageProps {
  params: Promise<{ game: string }>;
}

export const metadata: Metadata = { title: 'Transfers' };

export default async function TransfersPage({ params }: TransfersPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const game = await requireGame((await params).game);
  return (
    <>
      <PageHead title="Transfers">{game.name}</PageHead>
      <div className={detail.page}>
        <section className={styles.part}>
          <h2>Waiting to be collected in this game</h2>
          <Suspense fallback={<LoadingFromInvo />}>
            <Waiting game={game} person={person} />
          </Suspense>
        </section>
        <section className={styles.part}>
          <h2>Transfers known to Sharebook</h2>
          <p className={detail.quiet}>{TRANSFERS_KNOWN}</p>
          <KnownTransfers slug={game.slug} read={await listKnownTransfers(db(), game.gameId)} named={[]} />
        </section>
      </div>
    </>
  );
}

/** What Invo lists as waiting, asked now: an older list could show what was collected since. */
async function Waiting({ game, person }: { game: Game; person: Person }): Promise<ReactElement> {
  const list = await readInboundPending(openLookUp(game, person));
  if (list.kind === 'nothing') return <ReadNotice detail={list} what="what waits to be collected" />;
  const { rows, tree } = list.value;
  const ids = (rows ?? []).flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const events = await findEventsAbout(
    { db: db(), gameId: game.gameId },
    ids.map((idText) => ({ kind: 'transfer', idText })),
  );
  const isUnannounced = ids.length > 0 && !events.some(({ eventType }) => eventType === 'transfer.claim_pending');
  return (
    <div className={styles.part}>
      <ReadLine detail={list} timeZone={game.timeZone} note="This list isn’t stored." />
      {isUnannounced && (
        <Notice voice="wait" title="Invo lists waiting transfers, and no webhook announced them">
          {NO_CLAIM_WEBHOOK}
        </Notice>
      )}
      <InboundRows slug={game.slug} rows={rows} />
      <AllFields tree={tree} title="The whole answer" />
    </div>
  );
}

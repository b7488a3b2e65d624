import type { Metadata } from 'next';
import Link from 'next/link';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { showControls } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AllFields, FirstOf, MoreRows, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import { InboundRows, KnownTransfers } from '#app/[game]/_desk/transfer-tables.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadLine, ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readInboundPending } from '#lib/transfers/read-transfer.ts';
import { listKnownTransfers } from '#lib/transfers/reads.ts';
import { isInFilter, TRANSFER_FILTERS, type TransferFilter } from '#lib/transfers/rules/transfer-state.ts';
import { formatNoClaimWebhook, NEEDS_PERSON, TRANSFER_FILTER_LABELS, TRANSFERS_KNOWN } from '#lib/transfers/text.ts';
import { listNamedBy, listNewestSubjects } from '#lib/webhooks/reads/deliveries-about.ts';

// Transfers the page lists from webhooks at most.
const NAMED_MAX = 200;

interface TransfersPageProps {
  params: Promise<{ game: string }>;
  searchParams: Promise<{ show?: string | string[] }>;
}

export const metadata: Metadata = { title: 'Transfers' };

export default async function TransfersPage({ params, searchParams }: TransfersPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const game = await requireGame((await params).game);
  const { show } = await searchParams;
  const filter = TRANSFER_FILTERS.find((each) => each === show) ?? null;
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
          <Known game={game} filter={filter} />
        </section>
      </div>
    </>
  );
}

/** Everything stored that names a transfer; nothing here calls Invo. */
async function Known({ game, filter }: { game: Game; filter: TransferFilter | null }): Promise<ReactElement> {
  const named = await listNewestSubjects(db(), game.gameId, 'transfer', NAMED_MAX);
  // A transfer that a webhook names may have been read long ago.
  const read = await listKnownTransfers(
    db(),
    game.gameId,
    named.map(({ idText }) => idText),
  );
  const reads = new Set(read.map(({ transactionId }) => transactionId));
  const unread = named.filter(({ idText }) => !reads.has(idText));
  const isShown = (each: Parameters<typeof isInFilter>[1]): boolean => filter === null || isInFilter(filter, each, Date.parse(now()));
  const shown = {
    read: read.filter(isShown),
    named: unread.filter(({ readOutcome }) => isShown(readOutcome === 'not_found' ? 'no_status' : 'unread')),
  };
  return (
    <>
      <FilterLinks slug={game.slug} filter={filter} />
      {filter === 'needs_person' && <p className={detail.quiet}>{NEEDS_PERSON}</p>}
      {filter !== null && shown.read.length + shown.named.length === 0 ? (
        <p className={detail.quiet}>No transfer matches this filter.</p>
      ) : (
        <KnownTransfers slug={game.slug} {...shown} />
      )}
    </>
  );
}

function FilterLinks({ slug, filter }: { slug: string; filter: TransferFilter | null }): ReactElement {
  const href = `/${slug}/transfers`;
  return (
    <nav className={styles.filters} aria-label="Filter">
      <Link className={styles.filter} href={href} aria-current={filter === null ? 'page' : undefined}>
        All
      </Link>
      {TRANSFER_FILTERS.map((each) => (
        <Link key={each} className={styles.filter} href={`${href}?show=${each}`} aria-current={filter === each ? 'page' : undefined}>
          {TRANSFER_FILTER_LABELS[each]}
        </Link>
      ))}
    </nav>
  );
}

/** What Invo lists as waiting, requested now: an older list could show what was collected since. */
async function Waiting({ game, person }: { game: Game; person: Person }): Promise<ReactElement> {
  const list = await readInboundPending(openLookUp(game, person));
  if (list.kind === 'nothing') return <ReadNotice detail={list} what="pending transfers" isUnstored />;
  const { rows, hasMore, tree } = list.value;
  const ids = (rows ?? []).flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const announced = new Set(await listNamedBy(db(), game.gameId, 'transfer', ids, 'transfer.claim_pending'));
  const unannounced = ids.filter((id) => !announced.has(id));
  return (
    <div className={styles.part}>
      <ReadLine detail={list} timeZone={game.timeZone} note="This list isn’t stored." />
      {unannounced.length > 0 && (
        <Notice voice="wait" title="No webhook for these transfers">
          {formatNoClaimWebhook(unannounced.map(showControls))}
        </Notice>
      )}
      <InboundRows slug={game.slug} rows={rows} />
      <FirstOf shown={ROWS_SHOWN} count={rows?.length ?? 0} noun="rows" />
      <MoreRows hasMore={hasMore} />
      <AllFields tree={tree} title="All fields of the response" />
    </div>
  );
}

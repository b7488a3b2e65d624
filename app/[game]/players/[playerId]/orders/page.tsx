import type { ReactElement } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AllFields, FirstOf, MoreRows, RecordLink, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { formatMoney } from '#lib/core/money.ts';
import { listWithTimes } from '#lib/orders/read-order.ts';
import { type KnownOrder, listMintedOrders, listOrdersOfPlayer, type MintedPeriod } from '#lib/orders/reads.ts';
import { amountOfOrder, type OrderBook } from '#lib/orders/rules/order.ts';
import { amountLabel, BOOK_LABELS, NO_ORDERS_KNOWN, ORDERS_KNOWN, orderStatusText } from '#lib/orders/text.ts';
import { readPlayerItems } from '#lib/players/read-player.ts';
import { findStoredPlayer } from '#lib/players/reads.ts';
import { type KnownSubject, listSubjectsBeside } from '#lib/webhooks/reads/deliveries-about.ts';
import { type OpenTab, openTab, type PlayerParams, PlayerTab, type ReadTab } from '../player-tab.tsx';
import { ItemRows } from './item-rows.tsx';

// Orders a page lists from webhooks at most.
const NAMED_MAX = 200;

export default async function OrdersPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  return (
    <div className={detail.page}>
      <section className={styles.part}>
        <h2>Orders known to Sharebook</h2>
        <p className={detail.quiet}>{ORDERS_KNOWN} Search for an order ID to open one that is missing.</p>
        <Known {...tab} />
      </section>
      <section className={styles.part}>
        <h2>Item purchases</h2>
        <PlayerTab tab={tab} body={showItems} />
      </section>
    </div>
  );
}

/** Everything stored that names an order of this player; nothing here calls Invo. */
async function Known({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const stored = await findStoredPlayer(db(), game.gameId, playerId);
  const beside = [
    { kind: 'player' as const, idText: String(playerId) },
    ...(stored?.identityId ? [{ kind: 'identity' as const, idText: stored.identityId }] : []),
  ];
  const [read, minted, named] = await Promise.all([
    listOrdersOfPlayer(db(), game.gameId, playerId),
    listMintedOrders(db(), game.gameId, playerId),
    listSubjectsBeside(db(), game.gameId, 'order', beside, NAMED_MAX),
  ]);
  const dated = await listWithTimes(openLookUp(game, person), read);
  return <KnownOrders slug={game.slug} rows={rowsOf(dated, minted, named)} />;
}

/** What the player bought for coins, as Invo lists it. */
async function showItems({ game, context, player }: ReadTab): Promise<ReactElement> {
  const history = await readPlayerItems(context, player);
  return (
    <div className={styles.part}>
      <ReadNotices together="the item purchases" reads={[{ detail: history, what: 'the item purchases' }]} />
      <ReadLine detail={history} timeZone={game.timeZone} />
      {history.kind === 'not_found' && <p className={detail.quiet}>None. Invo has no item purchases for this player.</p>}
      {'value' in history && (
        <>
          <ItemRows rows={history.value.rows} slug={game.slug} />
          <FirstOf shown={ROWS_SHOWN} count={history.value.rows?.length ?? 0} noun="rows" />
          <MoreRows hasMore={history.value.hasMore} />
          <AllFields tree={history.value.tree} title="All fields of the response" />
        </>
      )}
    </div>
  );
}

interface Row {
  orderId: string;
  what: string;
  book: OrderBook;
  /** null: no order was read, so its status isn't known. */
  status: string | null | undefined;
  source: string;
  amount: { field: string; amount: string } | null;
  at: string | null;
}

/** An order as it was read; `createdAt` null: its stored answer reports no time. */
type ReadOrder = KnownOrder & { createdAt: string | null };

/** The orders of a player that Sharebook knows, each once: as it was read, else by the renewal it charged, else by the webhook that named it. */
function KnownOrders({ slug, rows }: { slug: string; rows: Row[] }): ReactElement {
  if (rows.length === 0) return <p className={detail.quiet}>{NO_ORDERS_KNOWN}</p>;
  return (
    <SimpleTable
      label="Orders known to Sharebook"
      isLong
      rows={rows}
      keyOf={({ orderId, what }) => `${orderId} ${what}`}
      columns={[
        {
          label: 'Order',
          cell: ({ orderId, what }) => (
            <>
              <RecordLink pages={`/${slug}/orders`} id={orderId} />
              <span className={detail.under}>{what}</span>
            </>
          ),
        },
        {
          label: 'Status',
          cell: ({ status, source, book }) => {
            const text = status === undefined ? null : orderStatusText(status, book);
            return (
              <>
                {text === null ? (
                  <span className={detail.missing}>not read</span>
                ) : (
                  <Status tone={text.tone} word={showControls(text.label)} />
                )}
                <span className={detail.under}>{source}</span>
              </>
            );
          },
        },
        {
          label: 'Amount',
          isFigure: true,
          cell: ({ amount, status }) =>
            amount === null ? (
              <span className={detail.missing}>{status === undefined ? 'not read' : 'not stored'}</span>
            ) : (
              <>
                {formatMoney(amount.amount)}
                <span className={detail.under}>{amountLabel(amount.field).replace('Amount, ', '')}</span>
              </>
            ),
        },
        {
          label: 'Time',
          isWideOnly: true,
          cell: ({ at }) => <span className={detail.when}>{at === null ? 'not stored' : formatUtc(at)}</span>,
        },
      ]}
    />
  );
}

function rowsOf(read: ReadOrder[], minted: MintedPeriod[], named: KnownSubject[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { idText, eventType, receivedAt } of named)
    rows.set(idText, {
      orderId: idText,
      what: 'From a webhook',
      book: 'currency',
      status: undefined,
      source: `webhook ${eventType ?? ''} at ${formatUtc(receivedAt)}`,
      amount: null,
      at: receivedAt,
    });
  for (const { orderId, periodId, amount_usd, paidAt } of minted)
    rows.set(orderId, {
      orderId,
      what: `Renewal, period ${periodId}`,
      book: 'currency',
      status: undefined,
      source: 'From the subscription',
      amount: amount_usd === null ? null : { field: 'amount_usd', amount: amount_usd },
      at: paidAt,
    });
  for (const { orderId, book, status, amount, readAt, createdAt } of read) {
    const before = rows.get(orderId);
    rows.set(`${book} ${orderId}`, {
      orderId,
      what: before?.what.startsWith('Renewal') ? before.what : BOOK_LABELS[book],
      book,
      status,
      source: `read at ${formatUtc(readAt)}`,
      // Stored answers may be older than the rule.
      amount: amount === null ? null : amountOfOrder([amount]),
      at: createdAt ?? before?.at ?? null,
    });
    rows.delete(orderId);
  }
  return [...rows.values()].toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1));
}

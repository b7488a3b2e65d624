import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { RecordLink } from '#app/[game]/_desk/answer-tree.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatMoney } from '#lib/core/money.ts';
import type { PlayerOrders } from '#lib/orders/find-player-orders.ts';
import { amountOfOrder, type OrderBook } from '#lib/orders/rules/order.ts';
import { amountLabel, BOOK_LABELS, NO_ORDERS_KNOWN, orderStatusText } from '#lib/orders/text.ts';

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

interface KnownOrdersProps {
  slug: string;
  orders: PlayerOrders;
  /** Rows shown; left out: all. */
  most?: number;
  isInset?: boolean;
}

/** The orders of a player that Sharebook knows, newest first, each once: as it was read, else by the renewal it charged, else by the webhook that named it. */
export function KnownOrders({ slug, orders, most, isInset = false }: KnownOrdersProps): ReactElement {
  const rows = rowsOf(orders).slice(0, most);
  if (rows.length === 0) return <p className={detail.quiet}>{NO_ORDERS_KNOWN}</p>;
  return (
    <SimpleTable
      label="Orders known to Sharebook"
      isLong={!isInset}
      isInset={isInset}
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

function rowsOf({ read, minted, named }: PlayerOrders): Row[] {
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

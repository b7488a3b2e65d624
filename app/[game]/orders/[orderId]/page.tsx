import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import { OpenActions, StartLink } from '#app/[game]/_actions/start-links.tsx';
import { AllFields, FieldTree } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import { Events } from '#app/[game]/_desk/events.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames, LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { NotInGame, ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { formatMoney, formatUsd } from '#lib/core/money.ts';
import { parseRecordId } from '#lib/core/typed-input.ts';
import type { OrderReading } from '#lib/invo/undocumented/orders.ts';
import { findAroundOrder, readOrderInBooks } from '#lib/orders/read-order.ts';
import { ORDER_BOOKS, type OrderBook, type OrderStatus, summarizeOrderEvents } from '#lib/orders/rules/order.ts';
import { amountLabel, BOOK_LABELS, dateLabel, NO_REFUND, OLD_WEBHOOKS, orderStatusText } from '#lib/orders/text.ts';
import type { EventAbout } from '#lib/webhooks/find-deliveries.ts';

interface OrderPageProps {
  params: Promise<{ game: string; orderId: string }>;
}

export async function generateMetadata({ params }: OrderPageProps): Promise<Metadata> {
  return { title: `Order ${decodeURIComponent((await params).orderId)}` };
}

export default async function OrderPage({ params }: OrderPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, orderId: text } = await params;
  const game = await requireGame(slug);
  const orderId = parseRecordId(decodeURIComponent(text)) ?? notFound();
  return (
    <>
      <PageHead title={`Order ${orderId}`}>{game.name}</PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <Order game={game} person={person} orderId={orderId} />
      </Suspense>
    </>
  );
}

/** One id in both order books, the webhooks about it, and the period it charged. */
async function Order({ game, person, orderId }: { game: Game; person: Person; orderId: string }): Promise<ReactElement> {
  const books = await readOrderInBooks(openLookUp(game, person), orderId);
  const found = ORDER_BOOKS.flatMap((book) => {
    const read = books[book];
    return 'value' in read ? [{ book, read }] : [];
  });
  const { events, minted, openActions } = await findAroundOrder({ db: db(), gameId: game.gameId }, orderId, books);
  const isAbsent = ORDER_BOOKS.every((book) => books[book].kind === 'not_found');
  return (
    <div className={detail.page}>
      <ReadNotices
        together="this order"
        reads={ORDER_BOOKS.filter((book) => found.length === 0 || books[book].kind !== 'nothing').map((book) => ({
          detail: books[book],
          what: `the order (${BOOK_LABELS[book].toLowerCase()})`,
        }))}
      />
      <OpenActions slug={game.slug} actions={openActions} />
      {isAbsent && events.length === 0 && minted === null && (
        <NotInGame game={game} what={`Order ${orderId}`} path={`orders/${encodeURIComponent(orderId)}`} />
      )}
      {minted !== null && (
        <Notice voice="note" title="This order charged a subscription renewal">
          It is the same charge as <Link href={`/${game.slug}/periods/${minted.periodId}`}>period {minted.periodId}</Link>
          {minted.amount_usd !== null && ` (${formatUsd(minted.amount_usd)})`}, not a second one. Refund it there.
        </Notice>
      )}
      {found.length === 0 && events.length > 0 && (
        <Notice voice="wait" title={isAbsent ? 'Invo doesn’t know this order' : 'The order couldn’t be read'}>
          Sharebook has only the webhooks below. They don’t set its status.
        </Notice>
      )}
      {found.length > 0 && (
        <FieldNames>
          <div className={detail.page}>
            {found.length > 1 && <p className={detail.quiet}>Both of Invo’s order books know this ID. They are two different orders.</p>}
            {found.map(({ book, read }) => (
              <OrderCard
                key={book}
                book={book}
                read={read}
                events={book === 'currency' ? events : []}
                isMinted={minted !== null}
                slug={game.slug}
                timeZone={game.timeZone}
                act={
                  book === 'currency' && read.value.paymentIntentId !== null && AWAITS_CONFIRMATION.has(read.value.status ?? '') ? (
                    <StartLink
                      game={game}
                      person={person}
                      group="payments"
                      href={`/${game.slug}/orders/${encodeURIComponent(orderId)}/confirm`}
                    >
                      Confirm payment…
                    </StartLink>
                  ) : null
                }
              />
            ))}
          </div>
        </FieldNames>
      )}
      <Events slug={game.slug} events={events} timeZone={game.timeZone} mayOpen={person.may('deliveries.read')} />
    </div>
  );
}

interface OrderCardProps {
  book: OrderBook;
  read: { kind: string; readAt: string; value: OrderReading };
  events: EventAbout[];
  /** It charged a renewal, which is refunded as a period. */
  isMinted: boolean;
  slug: string;
  timeZone: string;
  /** Leads to what can be done about it; null: nothing. */
  act: ReactElement | null;
}

/** The statuses of an order whose payment the game confirms after the bank’s check. */
const AWAITS_CONFIRMATION: ReadonlySet<string> = new Set<OrderStatus>(['requires_action', 'pending_payment']);

/** One order: its status in words and who says so, the amounts under Invo's names, its ids, and every field. */
function OrderCard({ book, read, events, isMinted, slug, timeZone, act }: OrderCardProps): ReactElement {
  const order = read.value;
  const status = orderStatusText(order.status, book);
  return (
    <Card title={BOOK_LABELS[book]} aside={<Status tone={status.tone} word={showControls(status.label)} />}>
      <p className={detail.sentence}>{status.sentence}</p>
      {act !== null && <div>{act}</div>}
      <Remarks events={events} status={order.status} />
      <ReadLine detail={read} timeZone={timeZone} />
      <div className={detail.facts}>
        <InvoFacts facts={factsOf(order, slug, timeZone)} />
      </div>
      {order.metadata !== undefined && (
        <div className={detail.facts}>
          <p className={detail.label}>Metadata of the game</p>
          <FieldTree value={order.metadata} />
        </div>
      )}
      <AllFields tree={order.tree} />
      {book === 'currency' && !isMinted && <p className={detail.quiet}>{NO_REFUND}</p>}
    </Card>
  );
}

const DISPUTE_WORDS = {
  open: { tone: 'bad', word: 'Dispute open' },
  won: { tone: 'good', word: 'Dispute won' },
  lost: { tone: 'bad', word: 'Dispute lost' },
  closed: { tone: 'quiet', word: 'Dispute closed' },
} as const;

/** What webhooks say beside the status; the order stays completed meanwhile. */
function Remarks({ events, status }: { events: EventAbout[]; status: string | null }): ReactElement {
  const usable = events.map(({ eventType, facts, state }) => ({
    eventType,
    facts,
    isUsable: state !== 'conflict' && state !== 'stale' && state !== 'other_game',
  }));
  const { isPartlyRefunded, disputes, hasFraudWarning, unreadableCount } = summarizeOrderEvents(usable, status);
  return (
    <>
      {(isPartlyRefunded || disputes.length > 0 || hasFraudWarning) && (
        <p className={styles.flags}>
          {isPartlyRefunded && <Flag tone="wait" word="Partly refunded" />}
          {disputes.map(({ disputeId, state }) => (
            <Flag key={disputeId ?? state} tone={DISPUTE_WORDS[state].tone} word={DISPUTE_WORDS[state].word} />
          ))}
          {hasFraudWarning && <Flag tone="wait" word="Fraud warning" />}
          <span className={detail.quiet}>reported by webhook</span>
        </p>
      )}
      {unreadableCount > 0 && <p className={detail.quiet}>{OLD_WEBHOOKS}</p>}
    </>
  );
}

function factsOf(order: OrderReading, slug: string, timeZone: string): InvoFact[] {
  const id = (label: string, field: string, value: string | null): InvoFact[] =>
    value === null ? [] : [{ label, field, value: <CopyButton text={value} what={label.toLowerCase()} />, isWide: true }];
  return [
    ...order.amounts.map(({ field, amount }) => ({ label: amountLabel(field), field, value: formatMoney(amount) })),
    ...order.unreadable.map((field) => ({ label: amountLabel(field), field, value: <span className={detail.missing}>not readable</span> })),
    ...(order.currencyName === null
      ? []
      : [{ label: 'Currency', field: 'currency_name', value: <bdi>{showControls(order.currencyName)}</bdi> }]),
    ...(order.item === null ? [] : [{ label: 'Item', field: 'item_name', value: <bdi>{showControls(order.item)}</bdi> }]),
    ...(order.quantity === null ? [] : [{ label: 'Quantity', field: 'item_quantity', value: order.quantity }]),
    {
      label: 'Player',
      field: 'player_id',
      value:
        order.playerId === null ? null : (
          <Link href={`/${slug}/players/${order.playerId}`}>{showControls(order.playerName ?? `Player ${order.playerId}`)}</Link>
        ),
    },
    ...(order.rail === null ? [] : [{ label: 'Rail', field: 'rail', value: showControls(order.rail) }]),
    ...order.dates.map(({ field, at }) => ({ label: dateLabel(field), field, value: <Instant at={at} timeZone={timeZone} /> })),
    ...id('Transaction ID', 'transaction_id', order.transactionId),
    ...id('Payment intent ID', 'payment_intent_id', order.paymentIntentId),
    ...id('Charge ID', 'charge_id', order.chargeId),
    ...id('Purchase reference', 'purchase_reference', order.purchaseReference),
  ];
}

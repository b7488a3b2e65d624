import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Events } from '#app/[game]/_desk/events.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { NotInGame, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { parseRecordId } from '#lib/core/ids.ts';
import { findAroundOrder } from '#lib/orders/find-around-order.ts';
import { readOrderInBooks } from '#lib/orders/read-order.ts';
import { ORDER_BOOKS } from '#lib/orders/rules/order.ts';
import { BOOK_LABELS } from '#lib/orders/text.ts';
import { EventsOnly, MintNotice, OrderCard } from './order-card.tsx';

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
  const { events, minted } = await findAroundOrder({ db: db(), gameId: game.gameId }, orderId, books);
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
      {isAbsent && events.length === 0 && minted === null && (
        <NotInGame game={game} what={`Order ${orderId}`} path={`orders/${encodeURIComponent(orderId)}`} />
      )}
      {minted !== null && <MintNotice slug={game.slug} minted={minted} />}
      {found.length === 0 && events.length > 0 && <EventsOnly isAbsent={isAbsent} />}
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
              />
            ))}
          </div>
        </FieldNames>
      )}
      <Events slug={game.slug} events={events} timeZone={game.timeZone} mayOpen={person.may('deliveries.read')} />
    </div>
  );
}

import { type DeliveryRow, listDeliveries } from '#lib/webhooks/reads/list-deliveries.ts';
import { DELIVERY_STATE_TEXT, formatAbout } from '#lib/webhooks/text.ts';
import type { GameConfig } from '../config.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { OrderReading } from '../invo/undocumented/orders.ts';
import { findAroundOrder, readOrderInBooks } from '../orders/read-order.ts';
import { ORDER_BOOKS } from '../orders/rules/order.ts';
import { BOOK_LABELS } from '../orders/text.ts';
import { readApproval, readTransferDetail } from '../transfers/read-transfer.ts';
import { guardianText, transferStateText } from '../transfers/text.ts';
import { type EventAbout, findEventsAbout } from '../webhooks/find-deliveries.ts';
import { type CommandContext, EXIT, readingJson, valueOf } from './command-context.ts';

interface RecordCommand {
  id: string;
  isJson: boolean;
}

/** Prints what the page of an order shows: both order books, the period it charged, and the webhooks about it. Exit 1: neither book answered. */
export async function orderCommand(
  context: CommandContext,
  game: OpenGame,
  { id, isJson }: RecordCommand,
  config: GameConfig,
): Promise<number> {
  const books = await readOrderInBooks({ game, config }, id);
  const { events, minted } = await findAroundOrder(game, id, books);
  const found = ORDER_BOOKS.flatMap((book) => {
    const value = valueOf(books[book]);
    return value === null ? [] : [{ book, value, ...readingJson(books[book]) }];
  });
  if (isJson)
    context.print(
      JSON.stringify({
        game: game.slug,
        environment: game.environment,
        order_id: id,
        books: Object.fromEntries(
          ORDER_BOOKS.map((book) => [book, { ...readingJson(books[book]), order: orderJson(valueOf(books[book])) }]),
        ),
        period:
          minted === null ? null : { period_id: minted.periodId, subscription_id: minted.subscriptionId, amount_usd: minted.amount_usd },
        webhooks: events.map(eventJson),
      }),
    );
  for (const { book, value, read, read_at } of isJson ? [] : found) {
    const unreadable = value.unreadable.map((field) => `${field} not readable`);
    const amounts = [...value.amounts.map(({ field, amount }) => `${field} ${amount}`), ...unreadable].join(', ');
    context.print(`${BOOK_LABELS[book]} ${id}: ${value.status ?? 'status not reported'} (${read}, ${read_at}) ${amounts}`.trimEnd());
  }
  if (!isJson && minted !== null) context.print(`It charged period ${minted.periodId} of ${minted.subscriptionId}.`);
  return found.length === 0 ? context.fail(describeNothing(Object.values(books), 'order')) : EXIT.done;
}

function orderJson(order: OrderReading | null): unknown {
  if (order === null) return null;
  const {
    orderId,
    transactionId,
    paymentIntentId,
    chargeId,
    purchaseReference,
    status,
    amounts,
    unreadable,
    currencyName,
    playerId,
    tree,
  } = order;
  return {
    order_id: orderId,
    transaction_id: transactionId,
    payment_intent_id: paymentIntentId,
    charge_id: chargeId,
    purchase_reference: purchaseReference,
    status,
    amounts: Object.fromEntries(amounts.map(({ field, amount }) => [field, amount])),
    unreadable,
    currency_name: currencyName,
    player_id: playerId,
    all_fields: tree,
  };
}

/** Prints what the page of a transfer shows: its status, the guardian's answer and the webhooks about it. Exit 1: Invo didn't report a status. */
export async function transferCommand(
  context: CommandContext,
  game: OpenGame,
  { id, isJson }: RecordCommand,
  config: GameConfig,
): Promise<number> {
  const asking = { game, config };
  const [transfer, approval] = [await readTransferDetail(asking, id), await readApproval(asking, id)];
  const [status, guardian] = [valueOf(transfer), valueOf(approval)];
  const events = await findEventsAbout(game, [{ kind: 'transfer', idText: id }]);
  if (isJson)
    context.print(
      JSON.stringify({
        game: game.slug,
        environment: game.environment,
        transaction_id: id,
        ...readingJson(transfer),
        transaction_status: status?.transaction_status ?? null,
        verification_state: status?.verification_state ?? null,
        amount: status?.amount ?? null,
        net_amount: status?.net_amount ?? null,
        unreadable: status?.unreadable ?? [],
        claim_code_expires_at: status?.claimCodeExpiresAt ?? null,
        is_destination: status?.isDestination ?? null,
        to_phone: status?.toPhone ?? null,
        to_identity_id: status?.toIdentityId ?? null,
        shares_number: status?.sharesNumber ?? null,
        guardian: { ...readingJson(approval), state: guardian?.state ?? null },
        all_fields: status?.tree ?? null,
        webhooks: events.map(eventJson),
      }),
    );
  else if (status !== null) {
    const { label, sentence } = transferStateText(status.verification_state, status.transaction_status, events);
    const { read, read_at } = readingJson(transfer);
    context.print(`Transfer ${id}: ${label}. ${sentence} (${read}, ${read_at})`);
    context.print(
      `transaction_status ${status.transaction_status ?? 'not reported'}, verification_state ${status.verification_state ?? 'not reported'}`,
    );
    const amount = (field: 'amount' | 'net_amount'): string =>
      `${field} ${status[field] ?? (status.unreadable.includes(field) ? 'not readable' : 'not reported')}`;
    context.print(`${amount('amount')}, ${amount('net_amount')}`);
    if (guardian !== null) context.print(guardianText(guardian.state).sentence);
  }
  return status === null ? context.fail(describeNothing([transfer], 'transfer')) : EXIT.done;
}

function eventJson({ deliveryId, eventType, receivedAt, createdAt, state, receiptCount, facts }: EventAbout): unknown {
  return {
    delivery_id: deliveryId,
    event_type: eventType,
    received_at: receivedAt,
    created_at: createdAt,
    state,
    attempts: receiptCount,
    facts,
  };
}

function describeNothing(readings: ({ kind: string } | { kind: string; error: { sentence: string } })[], what: string): string {
  const failed = readings.find((reading) => 'error' in reading);
  return failed !== undefined && 'error' in failed ? failed.error.sentence : `No such ${what} in this game and environment.`;
}

const LISTED_MAX = 1_000;

/** Lists the newest webhook deliveries of a game, at most 1,000: ids and states, no field of a body. */
export async function deliveriesCommand(
  context: CommandContext,
  game: OpenGame,
  { since, isJson }: { since: string | null; isJson: boolean },
): Promise<number> {
  const page = { sort: 'received_at', dir: 'desc', after: null, limit: LISTED_MAX } as const;
  const { rows, next } = await listDeliveries(game.db, { gameId: game.gameId, since }, { find: '', chip: 'all', page });
  const isCut = next !== null;
  if (isJson) context.print(JSON.stringify({ deliveries: rows.map(jsonOf), has_more: isCut }));
  else {
    for (const row of rows) context.print(lineOf(row));
    context.log(`${rows.length} deliveries${isCut ? `, the newest ${LISTED_MAX}. Give a later --since for fewer` : ''}.`);
  }
  return EXIT.done;
}

function lineOf({ delivery_id, received_at, event_type, state, settled_at, about_kind, about_id, receipt_count }: DeliveryRow): string {
  const about = about_kind === null || about_id === null ? '' : formatAbout(about_kind, about_id);
  const settled = settled_at === null ? '' : ' (settled)';
  const cells = [delivery_id, received_at.slice(0, 19), event_type ?? 'unreadable', `${DELIVERY_STATE_TEXT[state].label}${settled}`, about];
  return [...cells, receipt_count === 1 ? '' : `${receipt_count} attempts`].join('  ').trimEnd();
}

function jsonOf(row: DeliveryRow): unknown {
  return {
    delivery_id: row.delivery_id,
    received_at: row.received_at,
    event_type: row.event_type,
    state: row.state,
    settled_at: row.settled_at,
    about: row.about_kind === null ? null : { kind: row.about_kind, id: row.about_id },
    attempts: row.receipt_count,
    idempotency_key: row.idempotency_key,
    secret_slot: row.secret_slot,
    secret_version: row.secret_version,
    is_test: row.is_test,
    read_outcome: row.read_outcome,
  };
}

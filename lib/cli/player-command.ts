import { listMintedOrders, listOrdersOfPlayer } from '#lib/orders/reads.ts';
import { listTransfersOf } from '#lib/transfers/reads.ts';
import { listSubjectsBeside } from '#lib/webhooks/reads/deliveries-about.ts';
import type { GameConfig } from '../config.ts';
import { maskEmail } from '../core/mask-email.ts';
import type { GameContext } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { isSearchableEmail } from '../invo/request-path.ts';
import {
  type KnownPlayer,
  readPlayer,
  readPlayerCards,
  readPlayerItems,
  readPlayerLoyalty,
  readPlayerSubscriptions,
} from '../players/read-player.ts';
import { formatPlayerName } from '../players/text.ts';
import { search } from '../search/search.ts';
import { type CommandContext, EXIT, readEmail, readingJson, valueOf } from './command-context.ts';

// Orders and transfers of webhooks printed at most.
const NAMED_MAX = 200;

/** Prints what the page of a player shows. The email is read from stdin, so that it is in no process list, and printed masked. */
export async function playerCommand(
  context: CommandContext,
  game: OpenGame,
  { isJson }: { isJson: boolean },
  config: GameConfig,
): Promise<number> {
  const { fail } = context;
  const email = await readEmail(context);
  if (!isSearchableEmail(email))
    return fail(
      'Write the player’s email to stdin, such as: echo name@example.com | npm run --silent sharebook -- player --game G',
      EXIT.usage,
    );
  const asking = { game, config };
  const found = await search(asking, email, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
  const hit = 'hits' in found ? found.hits.find(({ kind }) => kind === 'player') : undefined;
  if (hit?.kind !== 'player')
    return fail('sentence' in found ? found.sentence : 'error' in found ? found.error.sentence : 'No such player.');
  const player = await readPlayer(asking, hit.playerId);
  if (player.kind !== 'player') return fail(SAYS[player.kind]);
  const json = await jsonOf(asking, player);
  context.print(isJson ? JSON.stringify(json) : formatPlayerJson(json));
  return EXIT.done;
}

const SAYS = {
  unknown: 'This player isn’t known to Sharebook.',
  no_email: 'No email is known for this player.',
  other_player: 'The stored email now belongs to another player.',
  no_player: 'Invo has no player with this email in this game and environment.',
};

type PlayerJson = Awaited<ReturnType<typeof jsonOf>>;

async function jsonOf(asking: GameContext, player: KnownPlayer) {
  const { game } = asking;
  const { stored, balances } = player;
  const beside = [
    { kind: 'player' as const, idText: String(stored.playerId) },
    ...(stored.identityId === null ? [] : [{ kind: 'identity' as const, idText: stored.identityId }]),
  ];
  const [cards, subscriptions, loyalty, items] = [
    await readPlayerCards(asking, player),
    await readPlayerSubscriptions(asking, player),
    await readPlayerLoyalty(asking, player),
    await readPlayerItems(asking, player),
  ];
  const [orders, minted, namedOrders, namedTransfers] = await Promise.all([
    listOrdersOfPlayer(game.db, game.gameId, stored.playerId),
    listMintedOrders(game.db, game.gameId, stored.playerId),
    listSubjectsBeside(game.db, game.gameId, 'order', beside, NAMED_MAX),
    listSubjectsBeside(game.db, game.gameId, 'transfer', beside, NAMED_MAX),
  ]);
  const transferIds = namedTransfers.map(({ idText }) => idText);
  const wallet = valueOf(balances);
  return {
    game: game.slug,
    environment: game.environment,
    player_id: stored.playerId,
    player_name: stored.name,
    player_email: stored.email === null ? null : maskEmail(stored.email),
    identity_id: stored.identityId,
    wallet: { ...readingJson(balances), balances: wallet?.balances ?? null, last_updated: wallet?.last_updated ?? null },
    cards: { ...readingJson(cards), cards: valueOf(cards)?.cards ?? null },
    subscriptions: {
      ...readingJson(subscriptions),
      total_count: valueOf(subscriptions)?.pagination.total_count ?? null,
      subscriptions:
        valueOf(subscriptions)?.subscriptions.map(({ subscription_id, status, item_name, amount_usd, paid_through }) => ({
          subscription_id,
          status,
          item_name,
          amount_usd,
          paid_through,
        })) ?? null,
    },
    loyalty: {
      ...readingJson(loyalty),
      cards: valueOf(loyalty)?.cards.map((each) => (each.kind === 'known' ? each.card : each.raw)) ?? null,
    },
    item_purchases: { ...readingJson(items), rows: valueOf(items)?.rows ?? null },
    orders_known: {
      read: orders.map(({ book, orderId, status, amount, readAt }) => ({ book, order_id: orderId, status, amount, read_at: readAt })),
      of_periods: minted.map(({ orderId, periodId, amount_usd }) => ({ order_id: orderId, period_id: periodId, amount_usd })),
      named_by_webhooks: namedOrders.map(({ idText, receivedAt }) => ({ order_id: idText, received_at: receivedAt })),
    },
    transfers_known: { named_by_webhooks: transferIds, read: await listTransfersOf(game.db, game.gameId, transferIds) },
  };
}

function formatPlayerJson(json: PlayerJson): string {
  const { wallet, cards, subscriptions, loyalty, item_purchases: items } = json;
  const count = (part: { read: string }, list: readonly unknown[] | null, noun: string): string =>
    `${noun}: ${list === null ? part.read : `${list.length} (${part.read})`}`;
  return [
    `${formatPlayerName(json.player_name, json.player_id)}, player ${json.player_id}, ${json.player_email ?? 'no email'}`,
    ...(wallet.balances ?? []).map(({ currency_name, available_balance, reserved_balance, total_balance, unreadable }) => {
      const missing = (field: (typeof unreadable)[number]): string => (unreadable.includes(field) ? 'not readable' : 'not reported');
      const [reserved, total] = [reserved_balance ?? missing('reserved_balance'), total_balance ?? missing('total_balance')];
      return `Wallet, ${currency_name ?? 'coins'}: available ${available_balance}, reserved ${reserved}, total ${total} (${wallet.read})`;
    }),
    ...(wallet.balances === null ? [`Wallet: ${wallet.read}`] : []),
    count(cards, cards.cards, 'Cards'),
    count(subscriptions, subscriptions.subscriptions, 'Subscriptions'),
    count(loyalty, loyalty.cards, 'Loyalty cards'),
    count(items, items.rows, 'Item purchases'),
    `Orders known to Sharebook: ${json.orders_known.read.length} read, ${json.orders_known.of_periods.length} of periods, ${json.orders_known.named_by_webhooks.length} named by webhooks`,
    `Transfers known to Sharebook: ${json.transfers_known.named_by_webhooks.length} named by webhooks`,
  ].join('\n');
}

import { digestOf } from '../core/canonical-digest.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import { isSentAsPlayer } from '../invo/routes/send-action.ts';
import type { PlayerCards } from '../invo/routes/support-reads.ts';
import { readApprovalStatus, readTransferStatus as readTransactionStatus } from '../invo/routes/transfers.ts';
import type { OrderReading } from '../invo/undocumented/orders.ts';
import { readOrderDetail, readOrderInBooks } from '../orders/read-order.ts';
import { parseOrderStatus } from '../orders/rules/order.ts';
import { mintTokenOf } from '../players/act-as-player.ts';
import { type PlayerRead, type PlayerSubject, readPlayer, readPlayerCards, readStoredPlayer } from '../players/read-player.ts';
import { listPlayersOfEmail } from '../players/reads.ts';
import type { Detail } from '../subscriptions/read-detail.ts';
import { type FactsReader, walletReadingOf } from './facts-reader.ts';
import { readGrant, readStartFacts, type StartTarget } from './read-start-facts.ts';
import { readTransferFacts, readTransferStatus } from './read-transfer-facts.ts';
import { readVaultFacts, readVaultState } from './read-vault-facts.ts';
import { listClaimFields } from './reads/find-alike.ts';
import { type ActionBlocker, type ActionFacts, callerOf, type Reading, type ReadingKind } from './rules/action-facts.ts';
import type { FreshFacts } from './rules/action-ports.ts';
import type { ActionKind } from './rules/kinds.ts';

/** What an action is about: the player, or the order, whose player is then read. */
export type ActionTarget =
  | { kind: Exclude<ActionKind, 'redeem' | 'claim' | 'receipt' | StartTarget['kind']>; playerId: number }
  | StartTarget
  | { kind: 'payment_confirm'; orderId: string }
  | { kind: 'redeem'; playerId: number; vaultEntryId: string }
  /** `phone`: of the player, where the claim takes it; left out: none was entered. */
  | { kind: 'claim'; transactionId: string; phone?: string }
  /** `actionId` null: it isn't stored yet, so no phone has approved it. */
  | { kind: 'receipt'; transactionId: string; actionId: number | null };

/** Facts read now, or why there are none: Invo couldn't be read, or something prevents the action. */
export type FactsRead =
  | ({ kind: 'facts'; playerId: number; name: string | null } & FreshFacts)
  | { kind: 'blocked'; blocker: ActionBlocker }
  | { kind: 'no_answer'; error: InvoFailure };

const NAMES_ONE_CURRENCY: ReadonlySet<ActionKind> = new Set(['item_sale', 'claim', 'transfer_start']);

/** Kinds that a player sends and whose facts need no token. */
function mintsToken(kind: ActionKind): boolean {
  return kind !== 'redeem' && !isOfGrant(kind) && isSentAsPlayer(kind);
}

/** Kinds that are sent with the code of a phone's grant, and a token of its player. */
function isOfGrant(kind: ActionKind): boolean {
  return kind === 'send_approve' || kind === 'transfer_approve' || kind === 'phone_enrolment' || kind === 'receipt';
}

/** What an action is about, as it is read again. */
export function targetOf({
  kind,
  playerId,
  orderId,
  facts,
  actionId = null,
}: {
  kind: ActionKind;
  playerId: number;
  orderId: string | null;
  facts: ActionFacts;
  actionId?: number | null;
}): ActionTarget {
  if (kind === 'claim') return { kind, transactionId: facts.status?.transaction_id ?? '' };
  if (kind === 'receipt') return { kind, transactionId: facts.status?.transaction_id ?? '', actionId };
  const { house_player_id, start_id, receiving_game_id, target_game_id } = facts.request;
  const startId = typeof start_id === 'number' ? start_id : null;
  const isOfPlayer = kind === 'phone_enrolment' && house_player_id === undefined;
  if (kind === 'transfer_start' || kind === 'transfer_approve' || isOfPlayer)
    return { kind, playerId, gameId: typeof target_game_id === 'string' ? target_game_id : null, phone: null, startId };
  if (kind === 'send_start' || kind === 'send_approve' || kind === 'phone_enrolment') {
    const housePlayerId = typeof house_player_id === 'number' ? house_player_id : null;
    return {
      kind,
      playerId,
      housePlayerId,
      gameId: typeof receiving_game_id === 'string' ? receiving_game_id : null,
      phone: null,
      startId,
    };
  }
  if (kind === 'redeem') return { kind, playerId, vaultEntryId: facts.vault?.vault_entry_id ?? '' };
  return kind === 'payment_confirm' && orderId !== null ? { kind, orderId } : { kind, playerId };
}

/** Reads what an action depends on. Only live answers count: a wallet read by email must name the player, an order must be theirs and wait for its confirmation. */
export async function readActionFacts(context: GameContext, target: ActionTarget, reader: FactsReader = {}): Promise<FactsRead> {
  const deadline: Deadline = reader;
  const { db, gameId } = context.game;
  const order = 'orderId' in target ? await readOrderDetail(context, target.orderId, deadline) : null;
  if (order !== null && order.kind !== 'live') return withoutAnswer(order, 'order_not_found');
  const transfer = 'transactionId' in target ? await readTransferFacts(context, target.transactionId, deadline) : null;
  if (transfer !== null && transfer.kind !== 'status') return transfer;
  const playerId =
    transfer?.receiverId ?? ('playerId' in target ? target.playerId : await findPlayerOfOrder(context, order?.value ?? null));
  if (playerId === null) return { kind: 'blocked', blocker: 'order_without_player' };
  const player = await readPlayerOf(context, { playerId, order: order?.value ?? null }, deadline);
  if (player.kind !== 'player') return { kind: 'blocked', blocker: player.kind === 'unknown' ? 'unknown_player' : player.kind };
  if (player.unconfirmed !== null) return { kind: 'no_answer', error: player.unconfirmed };
  if (player.balances.kind !== 'live') return withoutAnswer(player.balances, 'no_player');
  const orderFacts = order === null ? null : orderReadingOf(order.value);
  const blocker = orderFacts === null ? null : findOrderBlocker(orderFacts, playerId);
  if (blocker !== null) return { kind: 'blocked', blocker };
  // Prices of items and amounts of transfers are in coins without a currency, and a claim names the receiver's.
  if (NAMES_ONE_CURRENCY.has(target.kind) && player.balances.value.balances.length !== 1)
    return { kind: 'blocked', blocker: 'not_one_currency' };
  const cards = target.kind === 'card_confirm' ? await readPlayerCards(context, player, deadline) : null;
  if (cards !== null && cards.kind !== 'live') return withoutAnswer(cards, 'no_player');
  const claimFields = target.kind === 'claim' ? await listClaimFields(db, { gameId, playerId, transactionId: target.transactionId }) : [];
  const vault = target.kind === 'redeem' ? await readVaultFacts(context, player, { entryId: target.vaultEntryId, reader }) : null;
  if (vault !== null && vault.kind !== 'vault') return vault;
  const start = 'startId' in target ? await readStartFacts(context, target, player, reader) : null;
  if (start !== null && start.kind !== 'start') return start;
  const receiptId = target.kind === 'receipt' && reader.isPress === true ? target.actionId : null;
  const granted = receiptId === null ? null : await readGrant(context, player, { actionId: receiptId, state: 'approved', reader });
  if (granted !== null && 'kind' in granted) return granted;
  // A form is read without a token: only a press acts as the player.
  const minted =
    mintsToken(target.kind) && reader.actor !== undefined && reader.isPress === true
      ? await mintTokenOf(context, player, { actor: reader.actor, purpose: 'to send a desk action' }, reader)
      : null;
  if (minted?.ok === false)
    return minted.error === 'no_identity' ? { kind: 'blocked', blocker: 'no_identity' } : { kind: 'no_answer', error: minted.error };
  return {
    kind: 'facts',
    playerId,
    name: player.balances.value.player.player_name,
    email: player.subject.email,
    token: vault?.token ?? start?.token ?? granted?.token ?? minted?.token ?? null,
    ...(start?.sending === undefined ? {} : { sender: start.sending }),
    ...deviceCodeOf(start ?? granted),
    facts: {
      version: 1,
      wallet: walletReadingOf(player.balances.value),
      order: orderFacts,
      cards: cards === null ? null : cardsReadingOf(player.subject, cards.value),
      ...(vault === null ? {} : { vault: vault.facts }),
      ...(transfer === null ? {} : { status: transfer.facts }),
      ...(claimFields.length === 0 ? {} : { claim_fields: claimFields }),
      ...(start?.sender === undefined ? {} : { sender: start.sender }),
      ...(start?.destination === undefined ? {} : { destination: start.destination }),
      read_at: context.game.now(),
    },
  };
}

function deviceCodeOf(read: { deviceCode?: string } | null): Pick<FreshFacts, 'deviceCode'> {
  return read?.deviceCode === undefined ? {} : { deviceCode: read.deviceCode };
}

/** What an action's outcome is read by. `reference`: of a sale or a purchase, whose order is found by its key; `isItem`: of a sale. */
export interface OutcomeTarget {
  kind: ReadingKind;
  playerId: number;
  orderId: string | null;
  reference?: string | null;
  isItem?: boolean;
  /** What was read before; left out: it doesn't say what to read. */
  facts?: ActionFacts;
  /** Invo's transaction of a start or an approval; null: it has none. */
  transactionId?: string | null;
}

/**
 * Reads what settles the outcome of an action: its order, the player's cards, or as the player their vault. The wallet is read where Invo has no order of a
 * key; it settles nothing.
 */
export async function readForOutcome(
  context: GameContext,
  { kind, playerId, orderId, reference = null, isItem = false, facts, transactionId = null }: OutcomeTarget,
  reader: FactsReader = {},
): Promise<{ reading: Reading } | { error: InvoFailure | null }> {
  const deadline: Deadline = reader;
  if (kind === 'order') {
    for (const id of [orderId, reference]) {
      if (id === null) continue;
      const order = isItem ? (await readOrderInBooks(context, id, deadline)).items : await readOrderDetail(context, id, deadline);
      if (order.kind === 'live') return { reading: orderReadingOf(order.value) };
      if (order.kind !== 'not_found' || reference === null) return { error: errorOf(order) };
    }
  }
  if (kind === 'guardian') return await readGuardian(context, transactionId ?? '');
  if (kind === 'status' && facts?.status !== undefined) return await readTransferStatus(context, facts.status.transaction_id, deadline);
  if (kind === 'status') return await readStatusOfStart(context, transactionId ?? '');
  const player = await readPlayer(context, callerOf(playerId, facts), deadline);
  if (player.kind !== 'player' || player.balances.kind !== 'live') return { error: failureOf(player) };
  if (kind === 'vault') return await readVaultState(context, player, { entryId: facts?.vault?.vault_entry_id ?? '', reader });
  if (kind !== 'cards') return { reading: walletReadingOf(player.balances.value) };
  const cards = await readPlayerCards(context, player, deadline);
  return cards.kind === 'live' ? { reading: cardsReadingOf(player.subject, cards.value) } : { error: errorOf(cards) };
}

/** Reads the status of a transaction. The documents list no such route for sends: a 404 says that nothing is reported. */
async function readStatusOfStart(
  context: GameContext,
  transactionId: string,
): Promise<{ reading: Reading } | { error: InvoFailure | null }> {
  const none = {
    kind: 'status' as const,
    transaction_id: transactionId,
    verification_state: null,
    transaction_status: null,
    amount: null,
    net_amount: null,
    claim_expires_at: null,
  };
  return await readUnstored(async () => {
    const { value } = await askWithin(context, {}, (invo, signal) => readTransactionStatus(invo, transactionId, signal));
    return { ...none, verification_state: value.verification_state, transaction_status: value.transaction_status };
  }, none);
}

/** Reads a guardian's answer about a start. */
async function readGuardian(context: GameContext, transactionId: string): Promise<{ reading: Reading } | { error: InvoFailure | null }> {
  return await readUnstored(async () => {
    const { value } = await askWithin(context, {}, (invo, signal) => readApprovalStatus(invo, transactionId, signal));
    return { kind: 'guardian', transaction_id: transactionId, state: value.state };
  });
}

/** What is read, or Invo's error. `absent`: what a 404 means; left out: an error. */
async function readUnstored(read: () => Promise<Reading>, absent?: Reading): Promise<{ reading: Reading } | { error: InvoFailure }> {
  try {
    return { reading: await read() };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    return absent !== undefined && isAbsent(error) ? { reading: absent } : { error: toInvoFailure(error, { isUnstored: true }) };
  }
}

function failureOf(player: Awaited<ReturnType<typeof readPlayer>>): InvoFailure | null {
  return player.kind === 'player' ? errorOf(player.balances) : null;
}

function errorOf(detail: Detail<unknown>): InvoFailure | null {
  return 'error' in detail ? detail.error : null;
}

function withoutAnswer(detail: Exclude<Detail<unknown>, { kind: 'live' }>, absent: ActionBlocker): FactsRead {
  return detail.kind === 'not_found' ? { kind: 'blocked', blocker: absent } : { kind: 'no_answer', error: detail.error };
}

/** Reads a player by the email that their order names now, else by the stored one. */
async function readPlayerOf(
  context: GameContext,
  { playerId, order }: { playerId: number; order: OrderReading | null },
  deadline: Deadline,
): Promise<PlayerRead> {
  const email = order?.playerEmail ?? null;
  if (email === null) return await readPlayer(context, playerId, deadline);
  const name = order?.playerName ?? null;
  return await readStoredPlayer(context, { playerId, email, name, identityId: null, isRecipient: false }, deadline);
}

async function findPlayerOfOrder({ game }: GameContext, order: OrderReading | null): Promise<number | null> {
  if (order === null) return null;
  if (order.playerId !== null) return order.playerId;
  if (order.playerEmail === null) return null;
  const [only, ...others] = await listPlayersOfEmail(game.db, game.gameId, order.playerEmail, 2);
  return only !== undefined && others.length === 0 ? only.playerId : null;
}

/** Only an order that waits for the player's bank, or for its payment, can be confirmed. */
function findOrderBlocker(order: NonNullable<ActionFacts['order']>, playerId: number): ActionBlocker | null {
  if (order.player_id !== null && order.player_id !== playerId) return 'order_of_other_player';
  const status = parseOrderStatus(order.status);
  if (status !== 'requires_action' && status !== 'pending_payment') return 'order_state';
  return order.payment_intent_id === null ? 'no_payment_intent' : null;
}

function orderReadingOf(order: OrderReading): NonNullable<ActionFacts['order']> {
  const { orderId, status, transactionId, paymentIntentId, playerId, amounts, currencyName } = order;
  return {
    kind: 'order',
    order_id: orderId ?? '',
    status,
    transaction_id: transactionId,
    payment_intent_id: paymentIntentId,
    player_id: playerId,
    amounts,
    currency_name: currencyName,
  };
}

function cardsReadingOf({ playerId }: PlayerSubject, { cards }: PlayerCards): NonNullable<ActionFacts['cards']> {
  return {
    kind: 'cards',
    player_id: playerId,
    cards: cards.map(({ id, brand, last_four }) => ({ id, brand, last_four })),
  };
}

/** A digest of what decides, as hex: a form carries that of the facts it showed. */
export function digestShown(facts: Omit<ActionFacts, 'request'>, decidingOf: (facts: ActionFacts) => object): string {
  return digestOf(decidingOf({ ...facts, request: {} })).toString('hex');
}

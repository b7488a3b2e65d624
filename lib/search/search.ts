import { maskEmail } from '../core/mask-email.ts';
import { maskName } from '../core/roles.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import { readBalancesOfPlayer } from '../invo/routes/support-reads.ts';
import type { OrderReading } from '../invo/undocumented/orders.ts';
import { readOrderInBooks } from '../orders/read-order.ts';
import type { OrderBook } from '../orders/rules/order.ts';
import { balancesRoute, subscriptionsRoute } from '../players/read-player.ts';
import { type Detail, readDetail, storeDetail } from '../subscriptions/read-detail.ts';
import { readPeriodDetail, subscriptionRoute } from '../subscriptions/read-subscription-detail.ts';
import { readTransferDetail } from '../transfers/read-transfer.ts';
import { findLocalMatches, firstOfEach, type Hit, keyOf } from './reads.ts';
import { parseSearch, type SearchQuery } from './rules/parse-search.ts';
import { EMAIL_NOT_ALLOWED, formatNoLocalMatch, formatNotFound, SEARCH_ERRORS } from './text.ts';

/**
 * The result of a search. `found`: matches, the text's own first; `mayBeMore`: Invo, not called yet, may know a period of the same
 * number. `no_local_match`: nothing local, and Invo wasn't called; `canAskInvo` says whether it can be. `not_found`: Invo's own answer that
 * this game and environment has none. `unavailable`: Invo couldn't be reached; local matches are shown beside the error. `refused`: nothing
 * was searched, and why.
 */
export type SearchResult =
  | { kind: 'found'; hits: Hit[]; canAskInvo: boolean; mayBeMore: boolean }
  | { kind: 'no_local_match'; sentence: string; canAskInvo: boolean }
  | { kind: 'not_found'; sentence: string }
  | { kind: 'unavailable'; hits: Hit[]; error: InvoFailure }
  | { kind: 'refused'; sentence: string };

export interface SearchOptions extends Deadline {
  /** `local`: Sharebook's own data. `invo`: Invo too, where it can be called. */
  scope: 'local' | 'invo';
  canSeeEmails: boolean;
  /** Without it only recipients, refunds, payments, their files and rows of bank reports are found, and Invo isn't called. */
  canReadDesk: boolean;
  /** Without it no payment, no payment file and no row of a bank report is found. */
  canReadPayments?: boolean;
}

/** Finds what a text identifies, in local data and, in scope `invo`, at Invo. Emails are masked for roles that can't read them. */
export async function search(
  context: GameContext,
  typed: string,
  { scope, canSeeEmails, canReadDesk, canReadPayments = false, ...deadline }: SearchOptions,
): Promise<SearchResult> {
  const parsed = parseSearch(typed);
  if (!parsed.ok) return { kind: 'refused', sentence: SEARCH_ERRORS[parsed.error] };
  const { query } = parsed;
  if (query.email !== null && !canSeeEmails) return { kind: 'refused', sentence: EMAIL_NOT_ALLOWED };
  const masked = (hits: Hit[]): Hit[] => hits.map((hit) => maskHit(hit, canSeeEmails));
  const found = await findLocalMatches(context.game.db, context.game.gameId, query);
  const stored = canReadPayments ? found : found.filter((hit) => !isPayment(hit));
  const local = canReadDesk ? stored : stored.filter(isWithoutDesk);
  const canAskInvo = canReadDesk && isSearchableAtInvo(query);
  if (scope === 'local' || !canAskInvo)
    return local.length > 0
      ? { kind: 'found', hits: masked(local), canAskInvo, mayBeMore: canReadDesk && query.number !== null && !local.some(isPeriodById) }
      : { kind: 'no_local_match', sentence: formatNoLocalMatch(query), canAskInvo };
  const answer = await askInvo(context, query, local.length > 0, deadline);
  if (answer.kind === 'unavailable') return { kind: 'unavailable', hits: masked(local), error: answer.error };
  const hits = mergeHits(answer.hits, local);
  return hits.length > 0
    ? { kind: 'found', hits: masked(hits), canAskInvo: false, mayBeMore: false }
    : { kind: 'not_found', sentence: formatNotFound(query, answer.isAbsent) };
}

/** What has a page for people without the desk. */
function isWithoutDesk(hit: Hit): boolean {
  return hit.kind === 'refund' || isPayment(hit) || (hit.kind === 'player' && hit.isRecipient);
}

/** A payment, a file or a row of a bank report. */
function isPayment({ kind }: Hit): boolean {
  return kind === 'payment' || kind === 'payment_file' || kind === 'report_row';
}

function isPeriodById(hit: Hit): boolean {
  return hit.kind === 'period' && hit.by === 'period';
}

/** Invo can be searched by email, by the ids of subscriptions and periods, and by those of orders and transfers (documents 2 and 3, endpoints). */
function isSearchableAtInvo({ email, number, subscriptionId, recordId }: SearchQuery): boolean {
  return email !== null || number !== null || subscriptionId !== null || recordId !== null;
}

function maskHit(hit: Hit, canSeeEmails: boolean): Hit {
  if (hit.kind !== 'player' || canSeeEmails) return hit;
  return { ...hit, name: maskName(hit.name, canSeeEmails), email: hit.email === null ? null : maskEmail(hit.email) };
}

/** Invo's answer replaces the local match of the same thing; what only the reports know of a player stays. */
function mergeHits(fromInvo: Hit[], local: Hit[]): Hit[] {
  const merged = fromInvo.map((hit) => {
    const before = local.find((each) => keyOf(each) === keyOf(hit));
    return hit.kind === 'player' && before?.kind === 'player' ? { ...hit, isRecipient: before.isRecipient } : hit;
  });
  return [...merged, ...local.filter((each) => !fromInvo.some((hit) => keyOf(hit) === keyOf(each)))];
}

/** Invo's answer: matches, or none and whether Invo says there is none; or why it couldn't be reached. */
type InvoAnswer = { kind: 'answered'; hits: Hit[]; isAbsent: boolean } | { kind: 'unavailable'; error: InvoFailure };

/** Searches at Invo by the id and stores the answer. A number that is no period and that nothing local has can be an order or a transfer. */
async function askInvo(context: GameContext, query: SearchQuery, isKnown: boolean, deadline: Deadline): Promise<InvoAnswer> {
  const { text, email, number, subscriptionId, recordId } = query;
  if (email !== null) return await askPlayer(context, email, deadline);
  if (recordId !== null) return await askRecord(context, recordId, deadline);
  if (subscriptionId !== null) {
    const read = await readDetail(context, subscriptionRoute(subscriptionId), deadline);
    return answerOf(read, ({ subscription }) => ({
      kind: 'subscription',
      subscriptionId: subscription.subscription_id,
      itemName: subscription.item_name,
      status: subscription.status,
      playerId: subscription.player_id,
    }));
  }
  const read = await readPeriodDetail(context, number ?? 0, deadline);
  if (read.kind === 'not_found' && !isKnown) return await askRecord(context, text, deadline);
  return answerOf(read, ({ report: { period } }) => ({
    kind: 'period',
    periodId: period.period_id,
    subscriptionId: period.subscription_id,
    itemName: period.item_name,
    amount_usd: period.amount_usd,
    periodStart: period.period_start,
    periodEnd: period.period_end,
    by: 'period',
  }));
}

/** Looks for an order in both books and for a transfer: nothing but the id says what it is, and it can be both. One answer is enough. */
async function askRecord(context: GameContext, recordId: string, deadline: Deadline): Promise<InvoAnswer> {
  const [{ currency, items }, transfer] = await Promise.all([
    readOrderInBooks(context, recordId, deadline),
    readTransferDetail(context, recordId, deadline),
  ]);
  const answers = [
    answerOf(currency, (order) => orderHit(order, recordId, 'currency')),
    answerOf(items, (order) => orderHit(order, recordId, 'items')),
    answerOf(transfer, ({ transactionId, verification_state: state }) => ({ kind: 'transfer', transactionId, state, isRead: true })),
  ];
  const answered = answers.filter((answer) => answer.kind === 'answered');
  // An order that both books know has one page.
  const hits = firstOfEach(answered.flatMap((answer) => answer.hits));
  if (hits.length > 0) return { kind: 'answered', hits, isAbsent: false };
  return answers.find((answer) => answer.kind === 'unavailable') ?? { kind: 'answered', hits: [], isAbsent: true };
}

function orderHit({ orderId, status }: OrderReading, requested: string, book: OrderBook): Hit {
  return { kind: 'order', orderId: orderId ?? requested, status, book };
}

function answerOf<T>(detail: Detail<T>, hitOf: (value: T) => Hit): InvoAnswer {
  if (detail.kind === 'not_found') return { kind: 'answered', hits: [], isAbsent: true };
  if (detail.kind === 'live') return { kind: 'answered', hits: [hitOf(detail.value)], isAbsent: false };
  return { kind: 'unavailable', error: detail.error };
}

/**
 * Finds a player by email: the balances have the player's id, and the list distinguishes a player without subscriptions from no player.
 * The answers are stored under the id.
 */
async function askPlayer(context: GameContext, email: string, deadline: Deadline): Promise<InvoAnswer> {
  const requested = { playerId: 0, email };
  try {
    const [wallet, list] = await askWithin(context, deadline, (invo, signal) =>
      Promise.all([
        readBalancesOfPlayer(invo, email, signal).catch((error: unknown) => {
          if (error instanceof InvoError && isAbsent(error)) return null;
          throw error;
        }),
        subscriptionsRoute(requested, 0).ask(invo, signal),
      ]),
    );
    const playerId = wallet?.value.player.player_id ?? list.value.subscriptions[0]?.player_id;
    if (playerId === undefined) return { kind: 'answered', hits: [], isAbsent: true };
    const known = { playerId, email };
    if (wallet !== null) await storeDetail(context, balancesRoute(known), wallet);
    await storeDetail(context, subscriptionsRoute(known, 0), list);
    const { player_name = null, player_email = null } = wallet?.value.player ?? {};
    return {
      kind: 'answered',
      hits: [{ kind: 'player', playerId, name: player_name, email: player_email ?? email, isRecipient: false }],
      isAbsent: false,
    };
  } catch (error) {
    return { kind: 'unavailable', error: toInvoFailure(error) };
  }
}

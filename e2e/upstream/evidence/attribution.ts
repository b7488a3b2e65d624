import type { GameView } from '../game-view.ts';
import { DAY_MS, formatInstant, type ReadInstant, readInstant } from '../instant.ts';
import type { Period } from '../model.ts';
import { formatUsd } from '../money.ts';
import type { Call, Route } from '../route.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readCount, readPaging, readQuery } from '../wire/read-request.ts';
import { buildLedger, type Ledger, type RecipientAccount, totalsObject } from './ledger.ts';
import { attributionNotice, DERIVATION, KNOWN_LIMITS, paidAtText, recipientObject, renewalLine, reversalLine } from './lines.ts';

const WINDOW_DAYS_MAX = 400;
const LEDGERS_MAX = 3;
const ledgers = new WeakMap<GameView['recorded'], Map<string, Ledger>>();

export const attributionRoute: Route = {
  name: 'attribution',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/attribution$/,
  credential: 'secret',
  meter: 'aggregate',
  answer: answerAttribution,
};

function answerAttribution(call: Call): Json {
  const { view } = call;
  const query = readQuery(call.search, ['start', 'end', 'recipient_player_id', 'subscription_id', 'limit', 'offset']);
  const window = readWindow(query);
  const recipientId = readRecipient(query);
  const subscriptionId = readSubscriptionFilter(query, view);
  const { limit, offset } = readPaging(query, 'clamp');
  const ledger = ledgerOf(view, window.start.ceilMs, window.end.ceilMs, subscriptionId);
  const accounts = recipientId === null ? ledger.accounts : ledger.accounts.filter((account) => account.recipientId === recipientId);
  const firstIndex = call.isPageShifted ? Math.max(0, offset === 0 ? 1 : offset - 1) : offset;
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    report: {
      type: 'subscription_revenue_share_attribution',
      game_id: view.world.gameId,
      generated_at: formatInstant(view.nowMs),
      window: { start: window.start.text, end: window.end.text, end_exclusive: true },
      filters: { recipient_player_id: recipientId, subscription_id: subscriptionId },
      derivation: DERIVATION,
      known_limits: KNOWN_LIMITS,
    },
    totals: totalsObject(ledger.totals, ledger.accounts.length),
    recipients: accounts.slice(firstIndex, firstIndex + limit).map((account) => recipientReport(view, account)),
    pagination: { total_count: accounts.length, limit, offset, has_more: offset + limit < accounts.length },
  };
}

function readWindow(query: Map<string, string>): { start: ReadInstant; end: ReadInstant } {
  const start = readInstant(query.get('start') ?? '');
  const end = readInstant(query.get('end') ?? '');
  if (start === null || end === null)
    throw new Refusal(400, 'WINDOW_INVALID', 'start and end are both required as ISO 8601 dates or datetimes.');
  if (end.exactNs <= start.exactNs) throw new Refusal(400, 'WINDOW_INVALID', 'end must be after start.');
  if (end.exactNs - start.exactNs > BigInt(WINDOW_DAYS_MAX * DAY_MS) * 1_000_000n)
    throw new Refusal(400, 'WINDOW_TOO_LONG', 'A window is at most 400 days long.', { max_days: WINDOW_DAYS_MAX });
  return { start, end };
}

function readRecipient(query: Map<string, string>): number | null {
  const text = query.get('recipient_player_id');
  if (text === undefined) return null;
  const id = readCount(text);
  if (id === null || id < 1) throw new Refusal(400, 'RECIPIENT_INVALID', 'recipient_player_id must be a whole number.');
  return id;
}

function readSubscriptionFilter(query: Map<string, string>, view: GameView): string | null {
  const id = query.get('subscription_id');
  if (id === undefined) return null;
  if (!/^[A-Za-z0-9_-]{1,50}$/.test(id)) throw new Refusal(400, 'SUBSCRIPTION_ID_INVALID', 'subscription_id is at most 50 characters.');
  if (view.world.subscription(id) === null) throw new Refusal(404, 'SUBSCRIPTION_NOT_FOUND', 'No such subscription in this game.');
  return id;
}

function ledgerOf(view: GameView, startMs: number, endMs: number, subscriptionId: string | null): Ledger {
  const ledgersOfView = ledgers.get(view.recorded) ?? new Map<string, Ledger>();
  ledgers.set(view.recorded, ledgersOfView);
  const key = `${view.stamp}|${startMs}|${endMs}|${subscriptionId}`;
  const ledger = ledgersOfView.get(key) ?? buildLedger(view, { startMs, endMs }, subscriptionId);
  ledgersOfView.delete(key);
  ledgersOfView.set(key, ledger);
  const oldest = ledgersOfView.keys().next();
  if (ledgersOfView.size > LEDGERS_MAX && oldest.done !== true) ledgersOfView.delete(oldest.value);
  return ledger;
}

const LINES_MAX = 500;

/** One recipient of the report: figures of the whole window and at most 500 lines of each kind. */
function recipientReport(view: GameView, account: RecipientAccount): Json {
  const { renewals, reversals } = account;
  const byPaid = inOrder(
    renewals,
    view.lineOrder,
    (period) => period.paidMs ?? 0,
    (period) => period.id,
  );
  const byRefund = inOrder(
    reversals,
    view.lineOrder,
    (reversal) => (view.lineOrder === 'latest_refund' ? (reversal.history.latestMs ?? 0) : reversal.latestInWindowMs),
    (reversal) => reversal.period.id,
  );
  const [first, last] = edges(renewals);
  return {
    recipient: recipientObject(view.world.recipient(account.recipientId)),
    renewal_count: renewals.length,
    subscription_count: new Set(renewals.map((period) => period.subscription.id)).size,
    gross_attributed_usd: formatUsd(account.gross),
    reversed_attributed_usd: formatUsd(account.reversed),
    net_attributed_usd: formatUsd(account.gross - account.reversed),
    first_paid_at: first,
    last_paid_at: last,
    settled_by_invo: false,
    periods: byPaid.slice(0, LINES_MAX).map((period) => renewalLine(view, period)),
    periods_truncated: renewals.length > LINES_MAX,
    reversals: byRefund.slice(0, LINES_MAX).map((reversal) => reversalLine(view, reversal)),
    reversal_count: reversals.length,
    reversals_truncated: reversals.length > LINES_MAX,
  };
}

function edges(renewals: Period[]): [string | null, string | null] {
  const sorted = [...renewals].sort((a, b) => (a.paidMs ?? 0) - (b.paidMs ?? 0));
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? [null, null] : [paidAtText(first), paidAtText(last)];
}

function inOrder<T>(list: T[], order: GameView['lineOrder'], instantOf: (entry: T) => number, idOf: (entry: T) => number): T[] {
  if (order === 'shuffled') return [...list].sort((a, b) => scatter(idOf(a)) - scatter(idOf(b)));
  const sign = order === 'oldest' ? 1 : -1;
  return [...list].sort((a, b) => sign * (instantOf(a) - instantOf(b) || idOf(a) - idOf(b)));
}

function scatter(id: number): number {
  return Math.imul(id % 4_294_967_291, 2_654_435_761) >>> 0;
}

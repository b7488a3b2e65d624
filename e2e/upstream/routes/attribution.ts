import { DAY_MS, formatInstant, type ReadInstant, readInstant } from '../instant.ts';
import type { Book } from '../report/book.ts';
import { buildLedger, type Ledger } from '../report/ledger.ts';
import { totalsObject } from '../report/totals.ts';
import type { Json } from '../wire/json.ts';
import { attributionNotice } from '../wire/notice.ts';
import { DERIVATION, KNOWN_LIMITS } from '../wire/prose.ts';
import { readCount, readPaging, readQuery } from '../wire/query.ts';
import { recipientReport } from '../wire/recipient-report.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Call, Route } from './route.ts';

const WINDOW_DAYS_MAX = 400;
const LEDGERS_KEPT = 3;
const ledgers = new WeakMap<Book['memory'], Map<string, Ledger>>();

export const attributionRoute: Route = {
  name: 'attribution',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/attribution$/,
  meter: 'aggregate',
  answer: answerAttribution,
};

function answerAttribution(call: Call): Json {
  const { book } = call;
  const query = readQuery(call.search, ['start', 'end', 'recipient_player_id', 'subscription_id', 'limit', 'offset']);
  const window = readWindow(query);
  const recipientId = readRecipient(query);
  const subscriptionId = readSubscriptionFilter(query, book);
  const { limit, offset } = readPaging(query, 'clamp');
  const ledger = ledgerOf(book, window.start.ceilMs, window.end.ceilMs, subscriptionId);
  const accounts = recipientId === null ? ledger.accounts : ledger.accounts.filter((account) => account.recipientId === recipientId);
  const from = call.isPageShifted ? Math.max(0, offset === 0 ? 1 : offset - 1) : offset;
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    report: {
      type: 'subscription_revenue_share_attribution',
      game_id: book.world.gameId,
      generated_at: formatInstant(book.nowMs),
      window: { start: window.start.text, end: window.end.text, end_exclusive: true },
      filters: { recipient_player_id: recipientId, subscription_id: subscriptionId },
      derivation: DERIVATION,
      known_limits: KNOWN_LIMITS,
    },
    totals: totalsObject(ledger.totals, ledger.accounts.length),
    recipients: accounts.slice(from, from + limit).map((account) => recipientReport(book, account)),
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

function readSubscriptionFilter(query: Map<string, string>, book: Book): string | null {
  const id = query.get('subscription_id');
  if (id === undefined) return null;
  if (!/^[A-Za-z0-9_-]{1,50}$/.test(id)) throw new Refusal(400, 'SUBSCRIPTION_ID_INVALID', 'subscription_id is at most 50 characters.');
  if (book.world.subscription(id) === null) throw new Refusal(404, 'SUBSCRIPTION_NOT_FOUND', 'No such subscription in this game.');
  return id;
}

function ledgerOf(book: Book, startMs: number, endMs: number, subscriptionId: string | null): Ledger {
  const kept = ledgers.get(book.memory) ?? new Map<string, Ledger>();
  ledgers.set(book.memory, kept);
  const key = `${book.stamp}|${startMs}|${endMs}|${subscriptionId}`;
  const ledger = kept.get(key) ?? buildLedger(book, { startMs, endMs }, subscriptionId);
  kept.delete(key);
  kept.set(key, ledger);
  const oldest = kept.keys().next();
  if (kept.size > LEDGERS_KEPT && oldest.done !== true) kept.delete(oldest.value);
  return ledger;
}

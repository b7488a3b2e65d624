import { subtractMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import { fillInstant } from '#lib/evidence/pull/fill-instant.ts';
import { fillLines, type GapContext, isCutShort } from '#lib/evidence/pull/fill-lines.ts';
import type { Answer, ListSelection } from '#lib/evidence/pull/pull-session.ts';
import { completeReversals } from '#lib/evidence/pull/pull-slice.ts';
import { readPages } from '#lib/evidence/pull/read-pages.ts';
import type { RecipientReport, RenewalLine, ReversalLine } from '#lib/evidence/rules/evidence.ts';
import { LineCollection } from '#lib/evidence/rules/line-collection.ts';
import type { Totals } from '#lib/evidence/rules/totals.ts';
import type { CountedLines } from './call-bounds.ts';

/** One settled renewal of a made-up world; all times in milliseconds. */
export interface WorldLine {
  id: number;
  recipient: number;
  atMs: number;
  cents: number;
  /** When its period started, up to some days before it settled. */
  startMs: number;
  /** Partial refunds in order of time. */
  refundsMs: number[];
}

/** A field lines are listed by, and which end comes first; null values come last. */
export interface ListOrder {
  renewals: (line: WorldLine) => number | null;
  reversals: (line: WorldLine, inWindow: number[]) => number | null;
  direction: 1 | -1;
}

const INLINE_MAX = 500;

/** Reads a whole window of a made-up world as a pull does, without a database. Returns what it found, what there was, and the calls it took. */
export async function readWorld(
  world: WorldLine[],
  order: ListOrder,
  window: Window,
): Promise<{ calls: number; missing: string[]; lines: CountedLines; filledLines: number }> {
  const byRecipient = Map.groupBy(world, (line) => line.recipient);
  let calls = 0;
  let filledLines = 0;
  const session = {
    expect: () => undefined,
    setActivity: () => undefined,
    ask: async (part: Window, selection: ListSelection, purpose: string): Promise<Answer> => {
      calls += 1;
      const answer = answerOf(byRecipient, order, part, selection);
      const shown = answer.recipients.reduce((sum, each) => sum + each.renewals.length + each.reversals.length, 0);
      if (purpose === 'fill') filledLines += shown;
      return answer;
    },
  };
  const report = await readPages(session, window);
  const lines = new LineCollection(window);
  for (const entry of report.entries) lines.add(window, entry.report);
  const cut = report.entries.filter((entry) => isCutShort(lines, window, entry));
  const context: GapContext = {
    session,
    slice: window,
    nets: report.entries.map((entry) => entry.report.net_attributed_usd),
    lines,
    stored: { listLines: async () => [], listWindows: async () => [] },
    horizon: window.end,
    callsLeft: 5_000,
    crowded: [],
  };
  if (cut.length > 0) await fillLines(context, window, cut);
  for (const crowded of context.crowded) await fillInstant(context, crowded);
  await completeReversals(context, cut);
  return { calls, missing: listMissingLines(byRecipient, window, lines), lines: countLines(world, window), filledLines };
}

function listMissingLines(byRecipient: Map<number, WorldLine[]>, window: Window, lines: LineCollection): string[] {
  const missing: string[] = [];
  const inWindow = inside(window);
  for (const [recipient, all] of byRecipient) {
    const [renewals, reversals] = [
      lines.renewalsOf(recipient),
      new Map(lines.reversalsOf(recipient).map((each) => [each.period_id, each])),
    ];
    const known = new Set(renewals.map((line) => line.period_id));
    for (const line of all) {
      if (inWindow(line.atMs) && !known.has(line.id)) missing.push(`renewal ${line.id}`);
      const refunds = line.refundsMs.filter(inWindow);
      if (refunds.length !== (reversals.get(line.id)?.refund_events.length ?? 0)) missing.push(`refunds of ${line.id}`);
    }
  }
  return missing;
}

function countLines(world: WorldLine[], window: Window): CountedLines {
  const inWindow = inside(window);
  return {
    renewals: world.filter((line) => inWindow(line.atMs)),
    reversals: world.flatMap((line) => {
      const last = line.refundsMs.findLast(inWindow);
      return last === undefined ? [] : [{ recipient: line.recipient, atMs: last }];
    }),
  };
}

function answerOf(byRecipient: Map<number, WorldLine[]>, order: ListOrder, part: Window, selection: ListSelection): Answer {
  const accounts = [...byRecipient]
    .flatMap(([recipient, lines]) => accountOf(recipient, lines, part) ?? [])
    .toSorted((a, b) => b.netCents - a.netCents || a.recipient - b.recipient);
  const { offset = 0, limit = 50, recipientPlayerId, subscriptionId } = selection;
  const listed = recipientPlayerId === undefined ? accounts : accounts.filter((each) => each.recipient === recipientPlayerId);
  return {
    totals: { recipient_count: accounts.length, unattributed_reasons: {}, ...NO_MONEY } as unknown as Totals,
    generated_at: part.end,
    recipients: listed.slice(offset, offset + limit).flatMap((account) => reportOf(account, order, subscriptionId) ?? []),
    total_count: listed.length,
    has_more: offset + limit < listed.length,
    page_size: limit,
  };
}

const NO_MONEY = {
  settled_gross_usd: '0',
  invo_fee_usd: '0',
  partner_revenue_settled_usd: '0',
  partner_revenue_reversed_usd: '0',
  partner_revenue_usd: '0',
  gross_attributed_usd: '0',
  reversed_attributed_usd: '0',
  net_attributed_usd: '0',
};

interface Account {
  recipient: number;
  renewals: WorldLine[];
  reversals: { line: WorldLine; events: number[] }[];
  grossCents: number;
  netCents: number;
}

function accountOf(recipient: number, lines: WorldLine[], part: Window): Account | null {
  const inPart = inside(part);
  const renewals = lines.filter((line) => inPart(line.atMs));
  const reversals = lines.flatMap((line) => {
    if (line.refundsMs.length === 0) return [];
    const events = line.refundsMs.filter(inPart);
    return events.length === 0 ? [] : [{ line, events }];
  });
  if (renewals.length + reversals.length === 0) return null;
  const grossCents = renewals.reduce((sum, line) => sum + line.cents, 0);
  const reversed = reversals.reduce((sum, { line, events }) => sum + Math.floor(line.cents / line.refundsMs.length) * events.length, 0);
  return { recipient, renewals, reversals, grossCents, netCents: grossCents - reversed };
}

function reportOf(account: Account, order: ListOrder, subscriptionId: string | undefined): RecipientReport | null {
  const { recipient, grossCents: gross, netCents } = account;
  const belongs = (line: WorldLine): boolean => subscriptionId === undefined || subscriptionId === `SUB_${line.id}`;
  const renewals = account.renewals.filter(belongs);
  const reversals = account.reversals.filter(({ line }) => belongs(line));
  if (renewals.length + reversals.length === 0) return null;
  const reversed = gross - netCents;
  const listedRenewals = renewals.map((line) => ({ line, key: order.renewals(line) }));
  const listedReversals = reversals.map((each) => ({ ...each, key: order.reversals(each.line, each.events) }));
  return {
    recipient_player_id: recipient,
    resolved: true,
    player_email: null,
    player_name: null,
    identity_id: null,
    renewal_count: renewals.length,
    reversal_count: reversals.length,
    subscription_count: renewals.length,
    gross_attributed_usd: usd(gross),
    reversed_attributed_usd: usd(reversed),
    net_attributed_usd: subtractMoney(usd(gross), usd(reversed)),
    first_paid_at: null,
    last_paid_at: null,
    renewals: inOrder(listedRenewals, order.direction)
      .slice(0, INLINE_MAX)
      .map(({ line }) => renewalOf(line)),
    reversals: inOrder(listedReversals, order.direction)
      .slice(0, INLINE_MAX)
      .map(({ line, events }) => reversalOf(line, events)),
    isTruncated: { renewals: renewals.length > INLINE_MAX, reversals: reversals.length > INLINE_MAX },
  };
}

function inOrder<T extends { key: number | null; line: WorldLine }>(list: T[], direction: 1 | -1): T[] {
  return list.toSorted((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.line.id - b.line.id;
    return direction * (a.key - b.key || a.line.id - b.line.id);
  });
}

/** Guarantee of the cast: every field that reading looks at is there. */
function renewalOf(line: WorldLine): RenewalLine {
  return {
    period_id: line.id,
    recipient_player_id: line.recipient,
    subscription_id: `SUB_${line.id}`,
    period_seq: 1,
    paid_at: iso(line.atMs),
    period_start: iso(line.startMs),
    period_end: null,
    refunded_at: line.refundsMs.length > 0 ? iso(line.refundsMs.at(-1) ?? 0) : null,
  } as RenewalLine;
}

function reversalOf(line: WorldLine, events: number[]): ReversalLine {
  return {
    period_id: line.id,
    recipient_player_id: line.recipient,
    subscription_id: `SUB_${line.id}`,
    period_seq: 1,
    paid_at: iso(line.atMs),
    latest_refund_at: iso(line.refundsMs.at(-1) ?? 0),
    reversal_basis: 'refund_receipts',
    settled_in_this_window: true,
    refunded_to_date_usd: usd(line.refundsMs.length),
    reversed_attributed_usd: usd(events.length * Math.floor(line.cents / line.refundsMs.length)),
    refund_events: events.map((atMs) => ({
      refunded_at: iso(atMs),
      cumulative_refunded_before_usd: usd(line.refundsMs.indexOf(atMs)),
      cumulative_refunded_after_usd: usd(line.refundsMs.indexOf(atMs) + 1),
      reversed_attributed_usd: usd(Math.floor(line.cents / line.refundsMs.length)),
      partner_revenue_reversed_usd: null,
    })),
  } as ReversalLine;
}

function inside(window: Window): (atMs: number) => boolean {
  const [from, until] = [Date.parse(window.start), Date.parse(window.end)];
  return (atMs) => atMs >= from && atMs < until;
}

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

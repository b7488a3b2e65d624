import { normalizeMoney, sumMoney } from '#lib/core/money.ts';
import { lastDayOf, monthOfWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import {
  type AccrualFacts,
  accrue,
  type ExactTransfer,
  type JournalKind,
  postTransfers,
  type RunningTotals,
  reverseTransfers,
  type Transfer,
  type TransferKind,
} from './journal.ts';

/** What a journal must post, by its kind. Without the facts of its run an accrual posts nothing. */
export function exactOf(
  kind: JournalKind,
  sources: { accrual: AccrualFacts | null; audited: Record<string, string> | undefined; reversed: readonly ExactTransfer[] },
): ExactTransfer[] {
  if (kind === 'accrual') return sources.accrual === null ? [] : accrue(sources.accrual);
  if (kind === 'reversal') return reverseTransfers(sources.reversed);
  // What these are worked out from is a reading or a report, so that the audit has what was posted.
  return POSTS[kind].flatMap((each) => {
    const exact_usd = sources.audited?.[each];
    return exact_usd === undefined ? [] : [{ kind: each, exact_usd }];
  });
}

const POSTS: Readonly<Record<'card_fees' | 'payments' | 'returns', readonly TransferKind[]>> = {
  card_fees: ['card_fees'],
  payments: ['items_paid'],
  returns: ['items_returned', 'return_fees'],
};

/** Whether a journal posts payments or returns: on the day of the provider, not on the last day of its month. */
function isOfPayments(kind: JournalKind): kind is 'payments' | 'returns' {
  return kind === 'payments' || kind === 'returns';
}

/**
 * Proves a journal, whether it is stored in the database or in an evidence pack: its transfers are those that `exact` posts after `running`, what all
 * journals before it come to, on the last day of its month, or the day that the audit has of payments. Returns them.
 */
export function proveJournal(
  journal: { kind: JournalKind; postedOn: string; window: Window; transfers: readonly Transfer[] },
  { exact, running, timeZone, auditedOn }: { exact: ExactTransfer[]; running: RunningTotals; timeZone: string; auditedOn: string | null },
  about: Findings,
): Transfer[] {
  const expected = postTransfers(exact, running);
  about.same('journal_transfers', formatTransfers(expected), formatTransfers(journal.transfers));
  if (isOfPayments(journal.kind)) about.same('journal_date', auditedOn ?? 'none', journal.postedOn);
  else if (monthOfWindow(journal.window, timeZone) !== null)
    about.same('journal_date', lastDayOf(journal.window, timeZone), journal.postedOn);
  return expected;
}

/** Adds what a journal posts to what all journals before it come to. */
export function addToTotals(
  running: Map<TransferKind, { exact_usd: string; posted_usd: string }>,
  transfers: readonly Pick<Transfer, 'kind' | 'exact_usd' | 'posted_usd'>[],
): void {
  for (const { kind, exact_usd, posted_usd } of transfers) {
    const before = running.get(kind) ?? { exact_usd: '0.00', posted_usd: '0.00' };
    running.set(kind, { exact_usd: sumMoney([before.exact_usd, exact_usd]), posted_usd: sumMoney([before.posted_usd, posted_usd]) });
  }
}

function formatTransfers(transfers: readonly Transfer[]): string {
  const each = transfers.map(
    ({ kind, debit, credit, exact_usd, posted_usd }) =>
      `${kind} ${normalizeMoney(exact_usd)}, ${normalizeMoney(posted_usd)} from ${credit} to ${debit}`,
  );
  return each.join('; ') || 'nothing';
}

import 'server-only';
import { db } from '#app/_server/wiring.ts';
import { type CurrentWindow, findMonthSnapshot, type MonthSnapshot, monthSnapshotOf } from '#db/evidence/reads/month-snapshot.ts';
import {
  countRecipientChips,
  listRecipientRows,
  RECIPIENT_SORTS,
  type RecipientFilter,
  recipientFilter,
} from '#db/evidence/reads/recipient-rows.ts';
import { listRenewalRows, RENEWAL_SORTS, renewalFilter } from '#db/evidence/reads/renewal-rows.ts';
import { listReversalRows, REVERSAL_SORTS, reversalFilter } from '#db/evidence/reads/reversal-rows.ts';
import type { Game } from '#lib/core/game.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { RECIPIENT_FILTERS, RENEWAL_FILTERS, REVERSAL_FILTERS, type RecipientFilterName } from '#lib/evidence/rules/table-answer.ts';
import { defineList, type List, type RowRequest } from './define-list.ts';
import { renewalSpec, renewalTableRow, reversalSpec, reversalTableRow } from './line-tables.ts';
import { type MonthTable, withNegated } from './month-table.ts';
import { recipientSpec, recipientTableRow } from './recipient-table.ts';

/** What the lists of a month are read from: one snapshot, and what the person may see of it. */
export interface MonthSource extends MonthSnapshot {
  canSeeEmails: boolean;
  mayExport: boolean;
  /** One recipient's rows only; null: all. */
  recipient: number | null;
}

export interface MonthViewer {
  may(right: 'emails.read' | 'files.export'): boolean;
}

/** The snapshot of a month that lists read from: the newest complete one, or the one named by its ID; null when there is none. */
export async function findMonthSource(
  game: Game,
  month: string,
  viewer: MonthViewer,
  choice: { snapshotId?: number | null; recipient?: number } = {},
): Promise<MonthSource | null> {
  const snapshot = await findMonthSnapshot(db(), game, month, choice.snapshotId ?? undefined);
  return snapshot && sourceOf(snapshot, viewer, choice.recipient);
}

/** The same out of current windows that were read already; with one recipient's rows only, or all. */
export function monthSourceOf(
  game: Game,
  month: string,
  viewer: MonthViewer,
  { windows, recipient = null }: { windows: CurrentWindow[]; recipient?: number | null },
): MonthSource | null {
  const snapshot = monthSnapshotOf(game, month, windows);
  return snapshot && sourceOf(snapshot, viewer, recipient);
}

function sourceOf(snapshot: MonthSnapshot, viewer: MonthViewer, recipient: number | null = null): MonthSource {
  return { ...snapshot, canSeeEmails: viewer.may('emails.read'), mayExport: viewer.may('files.export'), recipient };
}

/** What the tables of a source know of its month. */
function tableOf({ snapshot, month, status, mayExport, canSeeEmails, recent, previousSnapshotId, recipient }: MonthSource): MonthTable {
  return {
    slug: snapshot.slug,
    month,
    snapshotId: snapshot.snapshotId,
    isComplete: status === 'complete',
    mayExport,
    canSeeEmails,
    months: recent.map((each) => each.month),
    hasPrevious: previousSnapshotId !== null,
    recipient,
  };
}

const isStale = ({ newestSnapshotId, snapshot }: MonthSource): boolean => newestSnapshotId !== snapshot.snapshotId;

const recipientsList = defineList<MonthSource, RecipientFilterName>({
  sorts: RECIPIENT_SORTS,
  chips: RECIPIENT_FILTERS,
  spec: async (source) => recipientSpec(tableOf(source), await countRecipientChips(db(), source)),
  rows: async (source, request) => {
    const { rows, next, total } = await listRecipientRows(db(), source, filterOf(source, request), request.page);
    return {
      rows: rows.map((row) => recipientTableRow(tableOf(source), row)),
      next,
      total: total && withNegated(total, 'reversed_attributed_usd'),
    };
  },
  isStale,
  isRanked: true,
  // A file is for those who may export, and they may search emails.
  condition: (source, { find, chip }) => recipientFilter(source, { find, chip, canSeeEmails: true }),
});

function filterOf({ canSeeEmails }: MonthSource, { find, chip }: RowRequest<RecipientFilterName>): RecipientFilter {
  return { find, chip, canSeeEmails };
}

const renewalsList = defineList<MonthSource, (typeof RENEWAL_FILTERS)[number]>({
  sorts: RENEWAL_SORTS,
  chips: RENEWAL_FILTERS,
  spec: (source) => renewalSpec(tableOf(source)),
  rows: async (source, request) => {
    const { rows, ...rest } = await listRenewalRows(db(), source, request, request.page);
    return { rows: rows.map((row) => renewalTableRow(tableOf(source), row)), ...rest };
  },
  isStale,
  isRanked: true,
  condition: (_, request) => renewalFilter(request),
  isByRecipient: true,
});

const reversalsList = defineList<MonthSource, (typeof REVERSAL_FILTERS)[number]>({
  sorts: REVERSAL_SORTS,
  chips: REVERSAL_FILTERS,
  spec: (source) => reversalSpec(tableOf(source)),
  rows: async (source, request) => {
    const { rows, next, total } = await listReversalRows(db(), source, request, request.page);
    return {
      rows: rows.map((row) => reversalTableRow(tableOf(source), row)),
      next,
      total: total && withNegated(total, 'reversed_attributed_usd', 'partner_revenue_reversed_usd'),
    };
  },
  isStale,
  isRanked: true,
  condition: ({ snapshot }, request) => reversalFilter(snapshot, request),
  isByRecipient: true,
});

/** The lists of a month whose rows are read from lines, by sheet. */
export const MONTH_LISTS: Record<SheetName, List<MonthSource>> = {
  recipients: recipientsList,
  renewals: renewalsList,
  reversals: reversalsList,
};

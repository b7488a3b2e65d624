import 'server-only';
import { db } from '#app/_server/wiring.ts';
import {
  countRecipientChips,
  listRecipientRows,
  RECIPIENT_SORTS,
  type RecipientFilter,
  recipientFilter,
  sumRecipientRows,
} from '#db/evidence/reads/recipient-rows.ts';
import { listRenewalRows, RENEWAL_SORTS, renewalFilter, sumRenewalRows } from '#db/evidence/reads/renewal-rows.ts';
import { listReversalRows, REVERSAL_SORTS, reversalFilter, sumReversalRows } from '#db/evidence/reads/reversal-rows.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { RECIPIENT_FILTERS, RENEWAL_FILTERS, REVERSAL_FILTERS, type RecipientFilterName } from '#lib/evidence/rules/table-answer.ts';
import { defineList, type List, type RowRequest } from './define-list.ts';
import { renewalSpec, renewalTableRow, reversalSpec, reversalTableRow } from './line-tables.ts';
import { type MonthSource, tableOf } from './month-source.ts';
import { withNegated } from './month-table.ts';
import { recipientSpec, recipientTableRow } from './recipient-table.ts';

const isStale = ({ newestSnapshotId, snapshot }: MonthSource): boolean => newestSnapshotId !== snapshot.snapshotId;

const recipientsList = defineList<MonthSource, RecipientFilterName>({
  sorts: RECIPIENT_SORTS,
  chips: RECIPIENT_FILTERS,
  spec: async (source) => recipientSpec(tableOf(source), await countRecipientChips(db(), source)),
  rows: async (source, request) => {
    const { rows, next } = await listRecipientRows(db(), source, filterOf(source, request), request.page);
    return { rows: rows.map((row) => recipientTableRow(tableOf(source), row)), next };
  },
  total: async (source, request) => withNegated(await sumRecipientRows(db(), source, filterOf(source, request)), 'reversed_attributed_usd'),
  isStale,
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
    const { rows, next } = await listRenewalRows(db(), source, request, request.page);
    return { rows: rows.map((row) => renewalTableRow(tableOf(source), row)), next };
  },
  total: async (source, request) => await sumRenewalRows(db(), source, request),
  isStale,
  condition: (_, request) => renewalFilter(request),
  isByRecipient: true,
});

const reversalsList = defineList<MonthSource, (typeof REVERSAL_FILTERS)[number]>({
  sorts: REVERSAL_SORTS,
  chips: REVERSAL_FILTERS,
  spec: (source) => reversalSpec(tableOf(source)),
  rows: async (source, request) => {
    const { rows, next } = await listReversalRows(db(), source, request, request.page);
    return { rows: rows.map((row) => reversalTableRow(tableOf(source), row)), next };
  },
  total: async (source, request) =>
    withNegated(await sumReversalRows(db(), source, request), 'reversed_attributed_usd', 'partner_revenue_reversed_usd'),
  isStale,
  condition: ({ snapshot }, request) => reversalFilter(snapshot, request),
  isByRecipient: true,
});

/** The lists of a month whose rows are read from lines, by sheet. */
export const MONTH_LISTS: Record<SheetName, List<MonthSource>> = {
  recipients: recipientsList,
  renewals: renewalsList,
  reversals: reversalsList,
};

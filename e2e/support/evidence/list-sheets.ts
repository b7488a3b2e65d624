import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage } from '#db/kit/paging.ts';
import { listSheetRows } from '#lib/evidence/reads/month-sheets.ts';
import type { SheetSource } from '#lib/evidence/reads/month-snapshot.ts';
import type { RecipientRow } from '#lib/evidence/reads/recipients-sheet.ts';
import type { RenewalRow } from '#lib/evidence/reads/renewals-sheet.ts';
import type { ReversalRow } from '#lib/evidence/reads/reversals-sheet.ts';

type Month = Omit<SheetSource, 'canSeeEmails' | 'recipient'>;
type Page<Row> = Promise<RowPage<Row & Record<string, unknown>>>;

export interface RecipientFilter {
  find: string;
  chip: string;
  canSeeEmails: boolean;
}

export interface LineFilter {
  find: string;
  chip: string;
  recipient: number | null;
}

/** One page of the recipients of a month, with the types that its definition states. */
export async function listRecipientRows(db: Db, month: Month, { canSeeEmails, ...filter }: RecipientFilter, page: PageRequest) {
  return (await listSheetRows(db, 'recipients', { ...month, canSeeEmails, recipient: null }, { ...filter, page })) as unknown as Awaited<
    Page<RecipientRow>
  >;
}

/** The same of its lines. */
export async function listRenewalRows(db: Db, month: Month, { recipient, ...filter }: LineFilter, page: PageRequest) {
  return (await listSheetRows(db, 'renewals', { ...month, canSeeEmails: true, recipient }, { ...filter, page })) as unknown as Awaited<
    Page<RenewalRow>
  >;
}

/** The same of its reversals. */
export async function listReversalRows(db: Db, month: Month, { recipient, ...filter }: LineFilter, page: PageRequest) {
  return (await listSheetRows(db, 'reversals', { ...month, canSeeEmails: true, recipient }, { ...filter, page })) as unknown as Awaited<
    Page<ReversalRow>
  >;
}

/** Detail routes of which only the newest answer is stored; the SQL check of `detail_read.kind` repeats the list. */
export const DETAIL_KINDS = [
  'subscription',
  'subscriptions',
  'balances',
  'cards',
  'order',
  'item_order',
  'item_history',
  'transfer',
  'approval',
] as const;

/** Reports of which every reading is evidence and stays; the SQL check of `report_read.kind` repeats the list. */
export const REPORT_KINDS = ['period', 'cycles', 'totals'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
export type DetailKind = (typeof DETAIL_KINDS)[number] | ReportKind;

/** Whether every reading of a kind stays. */
export function isReportKind(kind: DetailKind): kind is ReportKind {
  return REPORT_KINDS.some((each) => each === kind);
}

/** Kinds that are requested by the email of a player and stored under their ID. */
export const PLAYER_KINDS: ReadonlySet<DetailKind> = new Set<DetailKind>(['balances', 'cards', 'subscriptions', 'item_history']);

export const SHEETS = ['recipients', 'renewals', 'reversals'] as const;
export type SheetName = (typeof SHEETS)[number];

/** Reads the name of a sheet; null when there is none of that name. */
export function parseSheet(text: string): SheetName | null {
  return SHEETS.find((name) => name === text) ?? null;
}

export const SHEET_FORMATS = ['csv', 'xlsx'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

/** What Invo's figures are and are not; it travels with every page and file that shows them (document 2, attribution notice). */
export const ATTRIBUTION_NOTICE = {
  settled_by_invo: false,
  invo_has_paid_no_recipient: true,
  document_type: 'attribution_report',
  not_a_remittance_advice: true,
  payer: 'partner',
  statement: 'Attribution report, not a remittance advice. Invo settles to the partner only and has paid no recipient; the payer is you.',
} as const;

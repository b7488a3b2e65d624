import type { ListedReason } from './match-rows.ts';
import type { ReportKind } from './report-row.ts';

/** A row of a report that a person would decide, as its preview shows it. */
export interface PreviewedRow {
  rowNo: number;
  problem: ListedReason;
  reference: string | null;
  /** null: it can't be read, or the layout has none. */
  amount: string | null;
  hasAmounts: boolean;
  currency: string | null;
  /** Its cells, which may show an account: for the person who gave the report alone. */
  text: string;
}

/** What the route of reports answers: what a report would confirm, that it is recorded, or why not. */
export type ReportAnswer =
  | {
      kind: 'checked';
      layout: ReportKind;
      /** In one sentence. */
      result: string;
      listed: PreviewedRow[];
      listedCount: number;
      /** The report that has the same bytes; null: it is new. */
      recordedAs: number | null;
    }
  | { kind: 'recorded'; reportNo: number; sentence: string; openCount: number }
  /** Its dates can be read in two ways: the person chooses. */
  | { kind: 'date_order'; sentence: string }
  | { kind: 'refused'; sentence: string };

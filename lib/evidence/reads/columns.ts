import type { Cell } from '#db/kit/copy.ts';
import { EVENT_FIELDS, RECIPIENT_FIELDS, RENEWAL_FIELDS, REVERSAL_FIELDS } from '../rules/evidence.ts';
import { WINDOW_RECIPIENT_FIELDS } from '../rules/reconciliation/check-window.ts';
import { type JoinedTotals, TOTAL_NAMES } from '../rules/totals.ts';

// Columns that are filled from the field of the same name.
export const RECIPIENT_COLUMNS = namesOf(RECIPIENT_FIELDS);
export const RENEWAL_COLUMNS = namesOf(RENEWAL_FIELDS);
export const REVERSAL_COLUMNS = namesOf(REVERSAL_FIELDS);
export const EVENT_COLUMNS = namesOf(EVENT_FIELDS);
export const WINDOW_RECIPIENT_COLUMNS = namesOf(WINDOW_RECIPIENT_FIELDS);

/** Guarantee of the cast: the keys of a constant are its names. */
function namesOf<Name extends string>(fields: Record<Name, string>): Name[] {
  return Object.keys(fields) as Name[];
}

/** The fields of a row as cells, in the order of the columns. */
export function cellsOf<Name extends string>(row: Record<Name, Cell>, columns: readonly Name[]): Cell[] {
  return columns.map((name) => row[name]);
}

/** The totals as columns of a slice or a snapshot. */
export function totalsRow(totals: JoinedTotals): Record<string, Cell> {
  return Object.fromEntries(
    TOTAL_NAMES.map((name) => [name, name === 'unattributed_reasons' ? JSON.stringify(totals[name]) : totals[name]]),
  );
}

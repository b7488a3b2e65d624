import { type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import { datePartsOf } from '../core/instant.ts';
import type { Statement, StatementRow } from './rules/statement.ts';
import { formatStatementRow, SECTION_TEXT } from './statement-paper.ts';

/** The columns of a statement's CSV. They never change. */
const STATEMENT_COLUMNS: SheetColumn[] = [
  { key: 'section', label: 'Section', kind: 'text' },
  { key: 'position', label: 'Position', kind: 'count' },
  { key: 'settled_on', label: 'Settled', kind: 'text' },
  { key: 'period_id', label: 'Period', kind: 'text' },
  { key: 'subscription_id', label: 'Subscription', kind: 'text' },
  { key: 'description', label: 'Description', kind: 'text' },
  { key: 'amount_usd', label: 'Amount', kind: 'money' },
];

/**
 * Writes a statement as a CSV. The amounts of each section add up to the line of the run, deductions below zero; days are those of the game's
 * reporting time zone.
 */
export function writeStatementCsv(statement: Statement): string {
  const rows = statement.rows.map((row) => writeRow(STATEMENT_COLUMNS, cellsOf(statement, row)));
  return [writeHeader(STATEMENT_COLUMNS), ...rows].join('');
}

function cellsOf(statement: Statement, row: StatementRow): Record<string, string | number | null> {
  const { section, position, amount_usd, source } = row;
  const about = source !== null && 'renewal' in source ? source.renewal : source !== null && 'reversal' in source ? source.reversal : null;
  return {
    section,
    position,
    settled_on: about === null ? null : formatDate(about.settledAt, statement.game.timeZone),
    period_id: about?.periodId ?? null,
    subscription_id: about?.subscriptionId ?? null,
    description: formatStatementRow(statement, row) || SECTION_TEXT[section],
    amount_usd,
  };
}

/** The day of an instant as files write it: `2026-10-01`. */
function formatDate(instant: string, timeZone: string): string {
  const { year, month, day } = datePartsOf(instant, timeZone);
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { defineList } from '#app/[game]/_rows/define-list.ts';
import { OUTCOME_TONES } from '#app/[game]/payouts/_run/run-table.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { listStatementRows, STATEMENT_SORTS, type StatementListRow } from '#lib/payouts/reads/statements.ts';
import { OUTCOMES, type Outcome } from '#lib/payouts/rules/decide-line.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';

/** What a person gets of statements. Files name recipients with their emails. */
export function statementRights(person: Person): Pick<StatementsSource, 'canSeeEmails' | 'mayExport'> {
  const canSeeEmails = person.may('emails.read');
  return { canSeeEmails, mayExport: canSeeEmails && person.may('files.export') };
}

export interface StatementsSource {
  game: Game;
  run: Run;
  canSeeEmails: boolean;
  mayExport: boolean;
}

/** The recipients of an approved run with their statements. */
export const statementsList = defineList<StatementsSource, 'all' | Outcome>({
  sorts: STATEMENT_SORTS,
  chips: ['all', ...OUTCOMES],
  spec: statementsSpec,
  rows: async ({ game, run, canSeeEmails, mayExport }, { find, chip, page }) => {
    const { rows, ...rest } = await listStatementRows(db(), run, { find, outcome: chip === 'all' ? null : chip, canSeeEmails }, page);
    return { rows: rows.map((row) => statementRow(`/${game.slug}/payouts/${run.runNo}/statements`, row, mayExport)), ...rest };
  },
});

function statementsSpec({ game, run, mayExport }: StatementsSource): TableSpec {
  return {
    noun: ['statement', 'statements'],
    columns: [
      { key: 'recipient_name', label: 'Recipient', shape: 'identity', width: 256, isSortable: true },
      { key: 'outcome', label: 'Outcome', shape: 'flags', width: 150 },
      { key: 'due_usd', label: 'Due', shape: 'money', width: 118, isSortable: true },
      { key: 'payable_usd', label: 'Payable', shape: 'money-strong', width: 118, isSortable: true, isKey: true },
      { key: 'closing_usd', label: 'Carried forward', shape: 'money', width: 130, isSortable: true },
      ...(mayExport
        ? [
            { key: 'pdf', label: 'PDF', shape: 'link' as const, width: 70 },
            { key: 'csv', label: 'CSV', shape: 'link' as const, width: 70 },
          ]
        : []),
    ],
    chips: [{ key: 'all', label: 'All' }, ...OUTCOMES.map((outcome) => ({ key: outcome, label: OUTCOME_TEXT[outcome] }))],
    rowsHref: `/${game.slug}/lists/statements/rows?run=${run.runNo}`,
    defaultSort: { key: 'payable_usd', dir: 'desc' },
    findLabel: 'Search name or player ID',
    findNote: formatRecipientMatch(false),
    ends: { first: 'Highest payable', last: 'Lowest payable' },
  };
}

function statementRow(here: string, { playerId, name, outcome, ...amounts }: StatementListRow, mayExport: boolean): TableRow {
  const href = `${here}/${playerId}`;
  return {
    id: String(playerId),
    href,
    cells: {
      recipient_name: { name, playerId, note: `Player ${playerId}`, href },
      outcome: [{ tone: OUTCOME_TONES[outcome], word: OUTCOME_TEXT[outcome] }],
      due_usd: normalizeMoney(amounts.due_usd),
      payable_usd: normalizeMoney(amounts.payable_usd),
      closing_usd: normalizeMoney(amounts.closing_usd),
      ...(mayExport ? { pdf: { text: 'PDF', href: `${href}/pdf` }, csv: { text: 'CSV', href: `${href}/csv` } } : {}),
    },
  };
}

import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { defineList, ordersAndChips, specOf } from '#app/[game]/_rows/define-list.ts';
import { loadRun } from '#app/[game]/payouts/_run/load-run.ts';
import { OUTCOME_TONES } from '#app/[game]/payouts/_run/run-table.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { type ListedLine, listRunLines, STATEMENTS } from '#lib/payouts/reads/run-lines.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';

/** What a person gets of statements. Files name recipients with their emails. */
export function statementRights(person: Person): Pick<StatementsSource, 'canSeeEmails' | 'mayExport'> {
  const canSeeEmails = person.may('emails.read');
  return { canSeeEmails, mayExport: canSeeEmails && person.may('files.export') };
}

interface StatementsSource {
  game: Game;
  run: Run;
  canSeeEmails: boolean;
  mayExport: boolean;
}

/** The recipients of an approved run with their statements. */
export const statementsList = defineList<StatementsSource>({
  ...ordersAndChips(STATEMENTS),
  right: 'figures.read',
  // Of a run that isn’t approved there are none.
  findSource: async ({ game, person }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    return run.state === 'approved' ? { game, run, ...statementRights(person) } : null;
  },
  spec: ({ game, run, mayExport, canSeeEmails }) => ({
    ...specOf(STATEMENTS, { canSeeEmails, recipient: null }, { without: mayExport ? [] : ['pdf', 'csv'] }),
    rowsHref: `/${game.slug}/lists/statements/rows?run=${run.runNo}`,
  }),
  rows: async ({ game, run, canSeeEmails, mayExport }, { find, chip, page }) => {
    const { rows, ...rest } = await listRunLines(db(), STATEMENTS, { ...run, canSeeEmails }, { find, chip, page });
    return { rows: rows.map((row) => statementRow(`/${game.slug}/payouts/${run.runNo}/statements`, row, mayExport)), ...rest };
  },
});

function statementRow(here: string, line: ListedLine, mayExport: boolean): TableRow {
  const { recipient_player_id: playerId, recipient_name: name, outcome } = line;
  const href = `${here}/${playerId}`;
  return {
    id: String(playerId),
    href,
    cells: {
      recipient_name: { name, playerId, note: `Player ${playerId}`, href },
      outcome: [{ tone: OUTCOME_TONES[outcome], word: OUTCOME_TEXT[outcome] }],
      due_usd: normalizeMoney(line.due_usd),
      payable_usd: normalizeMoney(line.payable_usd),
      carried_forward_usd: normalizeMoney(line.carried_forward_usd),
      ...(mayExport ? { pdf: { text: 'PDF', href: `${href}/pdf` }, csv: { text: 'CSV', href: `${href}/csv` } } : {}),
    },
  };
}

import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { defineList, ordersAndChips, specOf } from '#app/[game]/_rows/define-list.ts';
import { formatUsd, normalizeMoney, signOfMoney } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { type ListedLine, listRunLines, RUN_LINES, STATEMENTS } from '#lib/payouts/reads/run-lines.ts';
import type { OutcomeCounts } from '#lib/payouts/rules/compose-run.ts';
import type { Outcome } from '#lib/payouts/rules/decide-line.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';

/** Loads a run by the number in its address, once per request. Shows "not found" for anything else. */
export const loadRun: (slug: string, text: string) => Promise<{ game: Game; run: Run }> = cache(async (slug, text) => {
  const game = await requireGame(slug);
  const runNo = parseRunNo(text);
  const run = runNo === null ? null : await findRun(db(), game.gameId, { runNo });
  return { game, run: run ?? notFound() };
});

interface RunLinesSource {
  slug: string;
  run: Run;
  outcomes: OutcomeCounts;
  canSeeEmails: boolean;
  mayReadDetails: boolean;
}

/** The lines of a run. */
export const runLinesList = defineList<RunLinesSource>({
  ...ordersAndChips(RUN_LINES),
  right: 'figures.read',
  findSource: async ({ game, person }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    return { slug: game.slug, run, outcomes: {}, canSeeEmails: person.may('emails.read'), mayReadDetails: person.may('payees.read') };
  },
  spec: runLinesSpec,
  isSelectable: true,
  rows: async ({ slug, run, canSeeEmails, mayReadDetails }, { page, find, chip, ids }) => {
    const { rows, ...rest } = await listRunLines(db(), RUN_LINES, { ...run, canSeeEmails, recipientIds: ids }, { page, find, chip });
    return { rows: rows.map((row) => runLineRow({ slug, run, mayReadDetails }, row)), ...rest };
  },
});

function runLinesSpec({ slug, run, outcomes, canSeeEmails }: RunLinesSource): TableSpec {
  const isApproved = run.state === 'approved';
  const spec = specOf(
    RUN_LINES,
    { canSeeEmails, recipient: null },
    {
      counts: { all: run.lineCount, ...Object.fromEntries(Object.entries(outcomes).map(([outcome, { count }]) => [outcome, count])) },
      // Without a run before there is nothing to compare with, and only an approved run has statements.
      without: [...(run.previousRunId === null ? ['last_usd', 'change_usd'] : []), ...(isApproved ? [] : ['statement'])],
    },
  );
  return {
    ...spec,
    // An approved run needs the room for its statements.
    columns: spec.columns.map((column) => (isApproved && column.key === 'change_usd' ? { ...column, isOptional: true } : column)),
    chips: spec.chips.map((chip) => {
      const counted = outcomes[chip.key as Outcome];
      return counted === undefined ? chip : { ...chip, sum: formatUsd(normalizeMoney(counted.amount_usd)) };
    }),
    rowsHref: `/${slug}/lists/run-lines/rows?run=${run.runNo}`,
    // The file is by recipient.
    defaultSort: { key: 'due_usd', dir: 'desc' },
    ends: { first: 'Highest due', last: 'Negative balances' },
  };
}

/** The tone of each outcome. */
const OUTCOME_TONES: Record<Outcome, Tone> = {
  payable: 'good',
  negative_balance: 'bad',
  nothing_due: 'quiet',
  unresolved: 'wait',
  excluded: 'wait',
  on_hold: 'wait',
  no_details: 'wait',
  below_minimum: 'quiet',
};

function runLineRow({ slug, run, mayReadDetails }: Pick<RunLinesSource, 'slug' | 'run' | 'mayReadDetails'>, line: ListedLine): TableRow {
  const playerId = line.recipient_player_id;
  const href = `/${slug}/recipients/${playerId}`;
  return {
    id: String(playerId),
    href,
    cells: {
      recipient_name: { name: line.recipient_name, playerId, note: String(playerId), href },
      due_usd: normalizeMoney(line.due_usd),
      payable_usd: normalizeMoney(line.payable_usd),
      ...(run.previousRunId === null ? {} : { last_usd: line.last_usd, change_usd: line.change_usd }),
      carried_forward_usd: normalizeMoney(line.carried_forward_usd),
      earned_usd: normalizeMoney(line.earned_usd),
      outcome: [
        {
          tone: OUTCOME_TONES[line.outcome],
          word: OUTCOME_TEXT[line.outcome],
          ...(line.outcome === 'no_details' && mayReadDetails ? { href: `/${slug}/payouts/payees/${playerId}` } : {}),
        },
      ],
      why: formatReason(line),
      ...(run.state === 'approved'
        ? { statement: { text: 'Statement', href: `/${slug}/payouts/${run.runNo}/statements/${playerId}` } }
        : {}),
    },
  };
}

/** What the outcome of a line doesn’t say yet, in the few words that a column has room for; empty: nothing. The statement has the whole sentence. */
function formatReason({ outcome, held_usd, minimum_usd, carried_forward_usd }: ListedLine): string {
  const usd = (amount: string): string => formatUsd(normalizeMoney(amount));
  switch (outcome) {
    case 'payable':
      if (signOfMoney(held_usd) > 0) return `${usd(held_usd)} on hold`;
      return signOfMoney(carried_forward_usd) === 0 ? '' : 'Under a cent carried';
    case 'negative_balance':
      return 'Carried to the next run';
    case 'nothing_due':
      return 'Earnings cancel out';
    case 'unresolved':
      return 'Unknown to Invo';
    case 'excluded':
      return 'Left out of this run';
    case 'on_hold':
      return 'Until the hold ends';
    case 'no_details':
      return 'No payment details in force';
    case 'below_minimum':
      return `Minimum ${usd(minimum_usd)}`;
  }
}

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

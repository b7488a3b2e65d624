import 'server-only';
import { db } from '#app/_server/server-context.ts';
import type { TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import type { Tone } from '#app/_ui/words/status.tsx';
import { defineList } from '#app/[game]/_rows/define-list.ts';
import { formatUsd, normalizeMoney, signOfMoney } from '#lib/core/money.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { type ListedLine, listRunLines, RUN_LINE_CHIPS, RUN_LINE_SORTS } from '#lib/payouts/reads/run-lines.ts';
import type { OutcomeCounts } from '#lib/payouts/rules/compose-run.ts';
import { OUTCOMES, type Outcome } from '#lib/payouts/rules/decide-line.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';

export interface RunLinesSource {
  slug: string;
  run: Run;
  outcomes: OutcomeCounts;
  canSeeEmails: boolean;
}

/** The lines of a run. */
export const runLinesList = defineList<RunLinesSource, (typeof RUN_LINE_CHIPS)[number]>({
  sorts: RUN_LINE_SORTS,
  chips: RUN_LINE_CHIPS,
  spec: runLinesSpec,
  isSelectable: true,
  rows: async ({ slug, run, canSeeEmails }, { page, find, chip, ids }) => {
    const filter = { chip, find, canSeeEmails, ...(ids && { recipientIds: ids }) };
    const { rows, ...rest } = await listRunLines(db(), run, filter, page);
    return { rows: rows.map((row) => runLineRow(slug, run, row)), ...rest };
  },
});

const LAST: TableColumn = { key: 'last_usd', label: 'Last month', shape: 'money', width: 96, isOptional: true };
const CHANGE: TableColumn = { key: 'change_usd', label: 'Change', shape: 'money', width: 92, isSortable: true };

/** An approved run needs the room for its statements. */
const COMPARED = { shown: [LAST, CHANGE], chosen: [LAST, { ...CHANGE, isOptional: true }] } satisfies Record<string, TableColumn[]>;

/** Only an approved run has statements, one for each line. */
const STATEMENT: TableColumn = { key: 'statement', label: 'Statement', shape: 'link', width: 92 };

function runLinesSpec({ slug, run, outcomes, canSeeEmails }: RunLinesSource): TableSpec {
  return {
    noun: ['line', 'lines'],
    columns: [
      { key: 'name', label: 'Recipient', shape: 'identity', width: 148 },
      { key: 'due_usd', label: 'Due', shape: 'money', width: 92, isSortable: true },
      { key: 'payable_usd', label: 'Payable', shape: 'money-strong', width: 84, isSortable: true, isKey: true },
      // Without a run before there is nothing to compare with.
      ...(run.previousRunId === null ? [] : COMPARED[run.state === 'approved' ? 'chosen' : 'shown']),
      { key: 'closing_usd', label: 'Carried', shape: 'money', width: 92, isSortable: true },
      { key: 'outcome', label: 'Outcome', shape: 'flags', width: 135 },
      { key: 'why', label: 'Reason', shape: 'text', width: 160 },
      ...(run.state === 'approved' ? [STATEMENT] : []),
      { key: 'earned_usd', label: 'Earned', shape: 'money', width: 104, isSortable: true, isOptional: true },
    ],
    chips: [
      { key: 'all', label: 'All', count: run.lineCount },
      ...OUTCOMES.flatMap((outcome) => {
        const counted = outcomes[outcome];
        return counted === undefined
          ? []
          : [{ key: outcome, label: OUTCOME_TEXT[outcome], count: counted.count, sum: formatUsd(normalizeMoney(counted.amount_usd)) }];
      }),
    ],
    rowsHref: `/${slug}/lists/run-lines/rows?run=${run.runNo}`,
    defaultSort: { key: 'due_usd', dir: 'desc' },
    findLabel: canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID',
    findNote: formatRecipientMatch(canSeeEmails),
    ends: { first: 'Highest due', last: 'Negative balances' },
  };
}

/** The tone of each outcome. */
export const OUTCOME_TONES: Record<Outcome, Tone> = {
  payable: 'good',
  negative_balance: 'bad',
  nothing_due: 'quiet',
  unresolved: 'wait',
  excluded: 'wait',
  on_hold: 'wait',
  below_minimum: 'quiet',
};

function runLineRow(slug: string, run: Run, line: ListedLine): TableRow {
  const href = `/${slug}/recipients/${line.recipientId}`;
  return {
    id: String(line.recipientId),
    href,
    cells: {
      name: { name: line.name, playerId: line.recipientId, note: String(line.recipientId), href },
      due_usd: normalizeMoney(line.due_usd),
      payable_usd: normalizeMoney(line.payable_usd),
      ...(run.previousRunId === null ? {} : { last_usd: line.lastPayable_usd ?? '0.00', change_usd: line.change_usd }),
      closing_usd: normalizeMoney(line.closing_usd),
      earned_usd: normalizeMoney(line.earned_usd),
      outcome: [{ tone: OUTCOME_TONES[line.outcome], word: OUTCOME_TEXT[line.outcome] }],
      why: formatReason(line),
      ...(run.state === 'approved'
        ? { statement: { text: 'Statement', href: `/${slug}/payouts/${run.runNo}/statements/${line.recipientId}` } }
        : {}),
    },
  };
}

/** What the outcome of a line doesn’t say yet, in the few words that a column has room for; empty: nothing. The statement has the whole sentence. */
function formatReason({ outcome, held_usd, minimum_usd, closing_usd }: ListedLine): string {
  const usd = (amount: string): string => formatUsd(normalizeMoney(amount));
  switch (outcome) {
    case 'payable':
      if (signOfMoney(held_usd) > 0) return `${usd(held_usd)} on hold`;
      return signOfMoney(closing_usd) === 0 ? '' : 'Under a cent carried';
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
    case 'below_minimum':
      return `Minimum ${usd(minimum_usd)}`;
  }
}

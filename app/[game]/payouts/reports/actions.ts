'use server';

import { z } from 'zod';
import { formAction, ordinalShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import { ROW_REFUSALS, SHOW_REPORT_REFUSALS } from '#lib/payments/action-text.ts';
import { type DecideRowResult, decideRow, setForeignRowsAside } from '#lib/payments/decide-row.ts';
import { LISTED_ROWS_MAX, listListedRows } from '#lib/payments/reads/reports.ts';
import { REPORTED_STATES } from '#lib/payments/rules/reported-states.ts';
import { showReportRows } from '#lib/payments/show-report.ts';
import type { ShowResult } from '../_run/shown-entries.tsx';

const ofRow = z.object({ game: slugShape, reportNo: ordinalShape, rowNo: ordinalShape });
const accepted = ofRow.extend({
  target: z.literal(['named', 'reference', 'batch']),
  reference: z.string().max(100).default(''),
  batchNo: z.string().max(20).default(''),
  state: z.string().max(20).default(''),
  note: z.string().max(5_000).default(''),
});

/** Where the form shows why a row isn't accepted. */
const FIELDS: Readonly<Record<string, string>> = {
  missing: 'note',
  too_long: 'note',
  account: 'note',
  state_missing: 'state',
  no_payment: 'target',
  unknown_payment: 'target',
  not_handed_over: 'target',
  replaced: 'target',
  amount_differs: 'target',
  nothing_to_confirm: 'target',
};

/** Accepts a row that confirmed nothing: it then confirms the payment, or the payments of the file, that the person chose. */
export const acceptRowAction = formAction(
  { schema: accepted, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { reportNo, rowNo, note } = form;
    const batchNo = parseOrdinal(form.batchNo.trim());
    if (form.target === 'batch' && batchNo === null) return { kind: 'invalid', fields: { target: 'Enter the number of the file.' } };
    const target =
      form.target === 'batch'
        ? { of: form.target, batchNo: batchNo ?? 0 }
        : form.target === 'reference'
          ? { of: form.target, reference: form.reference.trim() }
          : { of: form.target };
    const reportedState = REPORTED_STATES.find((each) => each === form.state) ?? null;
    return toResult(
      await decideRow(game, actor, { reportNo, rowNo, note, decision: 'accepted', target, reportedState }, payeeKey()),
      'Accepted.',
    );
  },
);

/** Sets aside a row that is about no payment of this game. */
export const setRowAsideAction = formAction(
  { schema: ofRow.extend({ why: z.string().max(5_000).default('') }), who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { reportNo, rowNo, why: note } = form;
    const answer = await decideRow(game, actor, { reportNo, rowNo, note, decision: 'set_aside' }, payeeKey());
    return answer.ok ? { kind: 'done', sentence: 'Set aside.' } : { kind: 'refused', sentence: ROW_REFUSALS[answer.reason] };
  },
);

/** Sets aside all rows of a report that are about no payment of this game, as many as the page counted. */
export const setForeignAsideAction = formAction(
  {
    schema: z.object({ game: slugShape, reportNo: ordinalShape, shownCount: ordinalShape, why: z.string().max(5_000).default('') }),
    who: 'payouts.prepare',
    game: true,
  },
  async ({ form: { reportNo, shownCount, why: note }, actor, game }) => {
    const answer = await setForeignRowsAside(game, actor, { reportNo, note, shownCount });
    return resultOf(answer, answer.ok ? `${countNoun(answer.count, 'row')} set aside.` : '', ROW_REFUSALS);
  },
);

function toResult(answer: DecideRowResult, done: string): FormResult {
  if (answer.ok) return { kind: 'done', sentence: answer.voidedSubmission ? `${done} The run in review is a draft again.` : done };
  const field = FIELDS[answer.reason];
  const sentence = ROW_REFUSALS[answer.reason];
  return field === undefined ? { kind: 'refused', sentence } : { kind: 'invalid', fields: { [field]: sentence } };
}

const ofReport = z.object({ game: slugShape, reportNo: ordinalShape });

/** Shows the listed rows of a report’s page as the bank wrote them, or the first rows where none is listed, to a person who gave their password. The audit has each look. */
export const showRowsAction = formAction(
  {
    schema: ofReport.extend({ after: ordinalShape.optional() }),
    who: 'payees.show',
    game: true,
    password: freshPassword,
    refreshes: 'never',
  },
  async ({ form: { reportNo, after: shownAfter }, actor, game }): Promise<ShowResult> => {
    const answer = await showReportRows(game, actor, payeeKey(), reportNo);
    if (!answer.ok) return { kind: 'refused', sentence: SHOW_REPORT_REFUSALS[answer.reason] };
    const after = shownAfter === undefined ? null : { reportNo, rowNo: shownAfter };
    const listed = await listListedRows(game.db, game.gameId, { reportNo, after, limit: LISTED_ROWS_MAX });
    // A page after the last listed row has none; only a report that lists none shows its first rows.
    const shown =
      listed.length > 0 || answer.listedCount > 0 ? listed.map(({ rowNo }) => rowNo) : [...answer.rows.keys()].slice(0, LISTED_ROWS_MAX);
    return { kind: 'shown', entries: shown.map((rowNo) => ({ label: `Row ${rowNo}`, text: answer.rows.get(rowNo) ?? '' })) };
  },
);

/** Before a report with whole accounts is downloaded, the person gives their password. The download itself is audited. */
export const downloadReportAction = formAction(
  { schema: ofReport, who: 'payees.show', game: true, password: freshPassword, refreshes: 'never' },
  async (): Promise<FormResult> => ({ kind: 'done', sentence: 'The download starts.' }),
);

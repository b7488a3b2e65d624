'use server';

import { z } from 'zod';
import { digestShape, formAction, idShape, openPage, ordinalShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { type CardFeesResult, postCardFees } from '#lib/accounting/post-journals.ts';
import { ACCOUNT_IN_TEXT, ACCOUNT_TEXT, APPROVER_TEXT } from '#lib/approvals/text.ts';
import { type Actor, may } from '#lib/core/roles.ts';
import {
  approveRun,
  canApproveRun,
  confirmVoid,
  type RunApproval,
  rejectRun,
  requestVoid,
  returnChangedRun,
  voidRun,
} from '#lib/payouts/decide-run.ts';
import { returnToDraft } from '#lib/payouts/draft-run.ts';
import { requestStatements } from '#lib/payouts/draw-statements.ts';
import { RECHECK_ITEMS } from '#lib/payouts/rules/close-input.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { EDITOR_TEXT, RATE_ERRORS } from '#lib/payouts/rules/run-words.ts';
import { setEurRate } from '#lib/payouts/set-rate.ts';
import { formatCheck, PAYOUTS_PAUSED } from '#lib/payouts/text.ts';
import { PASSWORD_REQUESTS } from '#lib/people/text.ts';

const about = z.object({ game: slugShape, runId: idShape });
const reasoned = about.extend({ why: z.string().max(5_000).default('') });
const ofRequest = about.extend({ version: ordinalShape });
const bound = about.extend({ contentDigest: digestShape, runNo: ordinalShape });

const REFUSALS = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  moved_on: 'The run has changed since you opened the page. No changes were made. Reload the page.',
  not_as_shown: 'The request to void has changed since you opened the page. No changes were made. Reload the page.',
  missing: 'Enter a reason. No changes were made.',
  too_long: 'The reason is longer than 1,000 characters. No changes were made.',
  account: `${ACCOUNT_IN_TEXT} No changes were made.`,
  ...APPROVER_TEXT,
  editor: 'Someone else must do this. No changes were made.',
  handed_over: 'A payment of this run was handed over, so it can’t be voided. Correct it with an adjustment or a re-issue.',
  elsewhere_waits: 'Payments of this run are proposed as paid elsewhere. Confirm or withdraw them first. No changes were made.',
  reported_paid:
    'A bank report shows payments of this run as paid. Record the hand-over of their file, or decide those rows first. No changes were made.',
  not_stated: 'Confirm that nobody uploaded the files of this run. No changes were made.',
  followed: 'Another run follows this one, so it can’t be voided. Correct it with an adjustment.',
} as const;

const APPROVAL_REFUSALS = {
  ...REFUSALS,
  sent_back: 'Something changed after submission, so the run is a draft again. Nothing was approved.',
  changed: 'The run was submitted again with other figures. Nothing was approved. Reload the page.',
  broken: 'The stored lines no longer match what was submitted. Nothing was approved. Run sharebook verify.',
  password: PASSWORD_REQUESTS.needed,
  paused: `${PAYOUTS_PAUSED} Nothing was approved.`,
} as const;

function formatApprovalRefusal(refusal: Extract<RunApproval, { ok: false }>): string {
  if ('because' in refusal)
    return `You worked on this run (${refusal.because.map((each) => EDITOR_TEXT[each] ?? each).join(', ')}), so someone else must approve it.`;
  if (!('recheck' in refusal)) return APPROVAL_REFUSALS[refusal.reason];
  const { title, advice } = formatCheck({ key: RECHECK_ITEMS[refusal.recheck], count: 1 });
  return `${title}. Nothing was approved. ${advice}`;
}

/** Approves exactly the content the page showed. */
export const approveAction = formAction(
  { schema: bound, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, tokenDigest, game }): Promise<FormResult> => {
    const answer = await approveRun(game, { ...actor, tokenDigest }, form.runId, form.contentDigest);
    if (answer.ok) openPage(`/${game.slug}/payouts/${form.runNo}${leadsToFiles(answer, actor) ? '/payments' : ''}`);
    return { kind: answer.reason === 'password' ? 'password' : 'refused', sentence: formatApprovalRefusal(answer) };
  },
  ({ form, actor, game }) => canApproveRun(game, actor, form.runId, form.contentDigest),
);

/** Whether the approver can create files next. */
function leadsToFiles({ run, isComplete }: Extract<RunApproval, { ok: true }>, { roles }: Actor): boolean {
  return isComplete && run.payableCount > 0 && may(roles, 'payouts.prepare');
}

const prepared = { schema: reasoned, who: 'payouts.prepare', game: true } as const;
const approved = { schema: reasoned, who: 'payouts.approve', game: true } as const;

/** Sends a submitted run back with a reason. */
export const rejectAction = formAction(approved, async ({ form, actor, game }) =>
  resultOf(await rejectRun(game, actor, form.runId, form.why), 'Sent back.', REFUSALS),
);

/** Returns a run to draft that can’t be approved, because something changed since its submission. */
export const returnChangedAction = formAction(approved, async ({ form, actor, game }) =>
  resultOf(await returnChangedRun(game, actor, form.runId), 'The run is a draft again.', REFUSALS),
);

/** Returns a submitted or rejected run to draft. */
export const returnAction = formAction(prepared, async ({ form, actor, game }) =>
  resultOf(await returnToDraft(game, actor, form.runId), 'The run is a draft again.', REFUSALS),
);

/** Voids a run that isn’t approved. */
export const voidAction = formAction(prepared, async ({ form, actor, game }) =>
  resultOf(await voidRun(game, actor, form.runId, form.why), 'Voided.', REFUSALS),
);

/** Whether the person stated that nobody uploaded the files of the run. */
const ofFiles = { notUploaded: z.string().max(10).default('') };

/** Requests that an approved run be voided. */
export const requestVoidAction = formAction(
  { ...prepared, schema: reasoned.extend(ofFiles) },
  async ({ form: { runId, why, notUploaded }, actor, game }) =>
    resultOf(
      await requestVoid(game, actor, { runId, why, isNotUploaded: notUploaded === 'yes' }),
      'Requested. A second person must confirm.',
      REFUSALS,
    ),
);

/** The second person voids an approved run. */
export const confirmVoidAction = formAction(
  { schema: ofRequest.extend(ofFiles), who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    resultOf(await confirmVoid(game, actor, form, { isAgreed: true, isNotUploaded: form.notUploaded === 'yes' }), 'Voided.', REFUSALS),
);

/** Discards the request to void an approved run. */
export const discardVoidAction = formAction({ ...prepared, schema: ofRequest }, async ({ form, actor, game }) =>
  resultOf(await confirmVoid(game, actor, form, { isAgreed: false }), 'The run is kept.', REFUSALS),
);

/** Stores the rate at which the SEPA payments of a draft are converted. */
export const setRateAction = formAction(
  { schema: about.extend({ rate: z.string().max(40), source: z.string().max(5_000) }), who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await setEurRate(game, actor, form.runId, form);
    if (!answer.ok && answer.reason === 'invalid')
      return {
        kind: 'invalid',
        fields: {
          [answer.field]:
            answer.problem === 'account' ? ACCOUNT_IN_TEXT : (RATE_ERRORS[`${answer.field}.${answer.problem}`] ?? 'Check this entry.'),
        },
      };
    return resultOf(answer, 'Saved. The approval covers it.', REFUSALS);
  },
);

const CARD_FEES_REFUSALS: Record<Extract<CardFeesResult, { ok: false }>['reason'], string> = {
  not_allowed: 'Your role can’t post journals. No changes were made.',
  ...ACCOUNT_TEXT,
  moved_on: 'This run is no longer approved. No changes were made. Reload the page.',
  nothing: 'There are no card fees left to post. Reload the page.',
};

/** Posts the card fees of an approved run's month. */
export const postCardFeesAction = formAction({ schema: about, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await postCardFees(game, actor, form.runId), 'Card fees posted.', CARD_FEES_REFUSALS),
);

/** The run by its number, as people call it. */
const byNumber = z.object({ game: slugShape, runNo: z.string().max(5) });

/** Requests that all statements of an approved run are drawn, and shows the progress. A running job is joined. */
export const drawStatementsAction = formAction(
  { schema: byNumber, who: 'files.export', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const runNo = parseRunNo(form.runNo);
    const isStarted = runNo !== null && (await requestStatements(game, runNo, actor.email)).ok;
    if (isStarted) return { kind: 'done', sentence: 'Started.' };
    return { kind: 'refused', sentence: 'Statements are available once the run is approved. Nothing was started.' };
  },
);

'use server';

import { z } from 'zod';
import { formAction, idShape, ordinalShape, resultOf, shapesOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { formatUsd, sumMoney } from '#lib/core/money.ts';
import { type Actor, may } from '#lib/core/roles.ts';
import { parseOrdinal } from '#lib/core/typed-input.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { formatOtherKey } from '#lib/payees/find-key-refusal.ts';
import {
  BATCH_REFUSALS,
  CLOSE_REFUSALS,
  ELSEWHERE_DECISION_REFUSALS,
  ELSEWHERE_REFUSALS,
  FILE_REFUSALS,
  FILES_REFUSALS,
  REISSUE_REFUSALS,
} from '#lib/payments/action-text.ts';
import { closeRun } from '#lib/payments/close-run.ts';
import { decideCancel, handOver, requestCancel } from '#lib/payments/hand-over.ts';
import { type FilesResult, type MadeFile, makeFiles } from '#lib/payments/make-files.ts';
import { readFile } from '#lib/payments/open-file.ts';
import { decideElsewhere, proposeElsewhere } from '#lib/payments/pay-elsewhere.ts';
import { listNames } from '#lib/payments/reads/waiting-items.ts';
import { decideReissue, proposeReissue } from '#lib/payments/reissue.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '#lib/payments/rules/payment.ts';
import type { PaymentBlocker } from '#lib/payments/rules/payment-blocker.ts';
import { formatPaymentBlocker, PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';

const text = (most: number): z.ZodDefault<z.ZodString> => z.string().max(most).default('');

const created = z.object({
  game: slugShape,
  runId: idShape,
  executionDate: text(10),
  note: text(1_000),
  lostFiles: text(10_000),
  // Of each method: whether its files are wanted, their layout, and what the page showed.
  ...shapesOf(PAYMENT_METHODS, text(10)),
  ...shapesOf(
    PAYMENT_METHODS.map((method) => `${method}.format` as const),
    text(40),
  ),
  ...shapesOf(
    PAYMENT_METHODS.map((method) => `${method}.count` as const),
    text(10),
  ),
  ...shapesOf(
    PAYMENT_METHODS.map((method) => `${method}.total` as const),
    text(40),
  ),
});

/** Why no file of a method was made: sentences, those about one recipient with a link to their payment details. */
export interface BlockedMethod {
  method: PaymentMethod;
  /** `reference`: of a payment that can be re-issued. `about`: what else the sentence leads to. */
  sentences: { text: string; recipientId: number | null; reference: string | null; about: 'sender' | 'report' | null }[];
  /** How many more there are than are listed. */
  moreCount: number;
}

/** What creating files came to, method by method. */
export type CreateResult = FormResult<string, { kind: 'blocked'; sentence: string; methods: BlockedMethod[] }>;

/** Sentences that a form lists of one method. */
const SENTENCES_MAX = 20;

/** Creates the files of the chosen methods. Each method is all or nothing; a method that is refused leaves the others. */
export const createFilesAction = formAction(
  { schema: created, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<CreateResult> => {
    const wanted = PAYMENT_METHODS.filter((method) => form[method] === 'yes');
    if (wanted.length === 0) return { kind: 'refused', sentence: 'Choose at least one method. No file was created.' };
    const files: MadeFile[] = [];
    const methods: BlockedMethod[] = [];
    for (const method of wanted) {
      const shown = { count: Number(form[`${method}.count`]) || 0, total_usd: form[`${method}.total`] || '0.00' };
      const { runId, note } = form;
      const format = form[`${method}.format`] || null;
      const executionDate = form.executionDate || null;
      const lostFiles = form.lostFiles === '' ? [] : form.lostFiles.split(',');
      const answer = await makeFiles(game, actor, payeeKey(), { runId, method, format, executionDate, note, shown, lostFiles });
      if (answer.ok) files.push(...answer.files);
      else methods.push(blockedOf(method, answer, await namesOf(game, actor, answer)));
    }
    const sentence = formatMade(files);
    return methods.length === 0 ? { kind: 'done', sentence } : { kind: 'blocked', sentence: files.length === 0 ? '' : sentence, methods };
  },
);

function formatMade(files: readonly MadeFile[]): string {
  const count = files.reduce((sum, file) => sum + file.count, 0);
  const total = formatUsd(sumMoney(files.map(({ total_usd }) => total_usd)));
  return `Created ${countNoun(files.length, 'file')} for ${countNoun(count, 'payment')}, ${total}.`;
}

type FilesRefusal = Extract<FilesResult, { ok: false }>;

/** The recipients that a form names, as every page does. */
async function namesOf({ db, gameId }: OpenGame, { roles }: Actor, refusal: FilesRefusal): Promise<ReadonlyMap<number, string | null>> {
  if (refusal.reason !== 'blocked') return new Map();
  const recipientIds = refusal.blockers.slice(0, SENTENCES_MAX).flatMap(({ item }) => (item === null ? [] : [item.recipientId]));
  return await listNames(db, gameId, { recipientIds: [...new Set(recipientIds)], canSeeEmails: may(roles, 'emails.read') });
}

function blockedOf(method: PaymentMethod, refusal: FilesRefusal, names: ReadonlyMap<number, string | null>): BlockedMethod {
  const plain = (sentence: string): BlockedMethod => ({
    method,
    sentences: [{ text: sentence, recipientId: null, reference: null, about: refusal.reason === 'sender_unreadable' ? 'sender' : null }],
    moreCount: 0,
  });
  if (refusal.reason === 'other_key') return plain(`${PAYMENT_METHOD_TEXT[method]}: ${formatOtherKey(refusal)}`);
  if (refusal.reason !== 'blocked') return plain(FILES_REFUSALS[refusal.reason]);
  const sentences = refusal.blockers.slice(0, SENTENCES_MAX).map((blocker) => ({
    text: formatPaymentBlocker(blocker, nameOf(blocker, names)),
    recipientId: blocker.reason === 'reported_paid' ? null : (blocker.item?.recipientId ?? null),
    reference: blocker.reason === 'details_changed' ? (blocker.item?.reference ?? null) : null,
    about: blocker.reason === 'reported_paid' ? ('report' as const) : isAboutSender(blocker) ? ('sender' as const) : null,
  }));
  return { method, sentences, moreCount: refusal.blockers.length - sentences.length };
}

function nameOf({ item }: PaymentBlocker, names: ReadonlyMap<number, string | null>): string | null {
  const name = item === null ? null : (names.get(item.recipientId) ?? null);
  return name === null ? null : showControls(name);
}

function isAboutSender({ reason }: PaymentBlocker): boolean {
  return reason === 'sender_missing' || reason === 'sender_setting' || reason.startsWith('column_');
}

const ofFile = z.object({ game: slugShape, batchNo: ordinalShape });

/** Records that a file was given to the bank or provider. */
export const handOverAction = formAction(
  { schema: ofFile.extend({ reference: text(5_000) }), who: 'payouts.prepare', game: true },
  async ({ form, actor, game }) =>
    resultOf(
      await handOver(game, actor, { batchNo: form.batchNo, providerReference: form.reference }, payeeKey()),
      'Recorded.',
      BATCH_REFUSALS,
    ),
);

/** Requests that a file be cancelled. */
export const requestCancelAction = formAction(
  { schema: ofFile.extend({ why: text(5_000), notUploaded: text(10) }), who: 'payouts.prepare', game: true },
  async ({ form: { batchNo, why: reason, notUploaded }, actor, game }) =>
    resultOf(
      await requestCancel(game, actor, { batchNo, reason, isNotUploaded: notUploaded === 'yes' }, payeeKey()),
      'Requested. A second person must confirm.',
      BATCH_REFUSALS,
    ),
);

/** A request as the page showed it. */
const ofCancel = ofFile.extend({ requesterId: z.string().max(100), reason: text(5_000) });

/** The second person cancels a file. */
export const confirmCancelAction = formAction(
  { schema: ofCancel.extend({ notUploaded: text(10) }), who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    resultOf(
      await decideCancel(game, actor, form, { isAgreed: true, isNotUploaded: form.notUploaded === 'yes' }),
      'Cancelled. Its payments have new references.',
      BATCH_REFUSALS,
    ),
);

/** Discards the request to cancel a file. */
export const discardCancelAction = formAction({ schema: ofCancel, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await decideCancel(game, actor, form, { isAgreed: false }), 'The file stays.', BATCH_REFUSALS),
);

/**
 * Before a file with whole accounts is downloaded, the person gives their password. One that doesn't open is refused here. The download itself is audited. The page refreshes, since its
 * other forms no longer need the password.
 */
export const openFileAction = formAction(
  { schema: ofFile, who: 'payouts.prepare', game: true, password: freshPassword, refreshes: 'done' },
  async ({ form, game }) => resultOf(await readFile(game, payeeKey(), form.batchNo), 'The download starts.', FILE_REFUSALS),
);

/** Payments that can be recorded at once. */
const ITEMS_MAX = 1_000;
const elsewhere = z.object({
  game: slugShape,
  runId: idShape,
  itemNos: z
    .string()
    .max(20 * ITEMS_MAX)
    .transform((list) => list.split(',').map(parseOrdinal))
    .pipe(z.array(z.int()).min(1).max(ITEMS_MAX)),
  paidOn: text(10),
  note: text(5_000),
});

/** Proposes the selected payments as paid outside Sharebook. */
export const proposeElsewhereAction = formAction(
  { schema: elsewhere, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await proposeElsewhere(game, actor, form, payeeKey());
    if (answer.ok)
      return {
        kind: 'done',
        sentence: `${countNoun(form.itemNos.length, 'payment')} proposed. They count as paid once a second person confirms.`,
      };
    if (answer.reason === 'not_a_day' || answer.reason === 'in_future' || answer.reason === 'too_early')
      return { kind: 'invalid', fields: { paidOn: ELSEWHERE_REFUSALS[answer.reason] } };
    if (answer.reason === 'missing' || answer.reason === 'too_long' || answer.reason === 'account')
      return { kind: 'invalid', fields: { note: ELSEWHERE_REFUSALS[answer.reason] } };
    return resultOf(answer, '', ELSEWHERE_REFUSALS);
  },
);

/** The second person confirms that payments were made elsewhere. */
export const confirmElsewhereAction = formAction(
  { schema: ofFile, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    resultOf(
      await decideElsewhere(game, actor, { batchNo: form.batchNo, decision: 'confirmed' }),
      'Recorded as paid.',
      ELSEWHERE_DECISION_REFUSALS,
    ),
);

/** Withdraws payments that were proposed as paid elsewhere. */
export const withdrawElsewhereAction = formAction({ schema: ofFile, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await decideElsewhere(game, actor, { batchNo: form.batchNo, decision: 'withdrawn' }), 'Withdrawn.', ELSEWHERE_DECISION_REFUSALS),
);

const ofPayment = z.object({ game: slugShape, runId: idShape, itemNo: ordinalShape });
const ofReissue = ofPayment.extend({ reissueNo: ordinalShape });

/** Proposes to pay again what failed or was returned. */
export const proposeReissueAction = formAction(
  { schema: ofPayment.extend({ why: text(5_000) }), who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await proposeReissue(game, actor, { runId: form.runId, itemNo: form.itemNo, reason: form.why }, payeeKey());
    return resultOf(answer, 'Proposed. It is paid to nobody until a second person confirms.', REISSUE_REFUSALS);
  },
);

/** The second person confirms a re-issue to the payment details that the page showed. */
export const confirmReissueAction = formAction(
  {
    schema: ofReissue.extend({ detailNo: ordinalShape }),
    who: 'payouts.approve',
    game: true,
    password: freshPassword,
  },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { runId, itemNo, detailNo, reissueNo } = form;
    const answer = await decideReissue(game, actor, { runId, itemNo, detailNo, reissueNo, decision: 'confirmed' });
    const more = answer.ok && answer.voidedSubmission ? ' The run in review is a draft again.' : '';
    return resultOf(answer, `Confirmed. It waits for a file.${more}`, REISSUE_REFUSALS);
  },
);

/** Withdraws the re-issue that the page showed, which isn’t confirmed. */
export const withdrawReissueAction = formAction(
  { schema: ofReissue, who: 'payouts.prepare', game: true },
  async ({ form: { runId, itemNo, reissueNo }, actor, game }) =>
    resultOf(await decideReissue(game, actor, { runId, itemNo, reissueNo, decision: 'withdrawn' }), 'Withdrawn.', REISSUE_REFUSALS),
);

/** Closes a run none of whose payments is open. */
export const closeRunAction = formAction(
  { schema: z.object({ game: slugShape, runId: idShape }), who: 'payouts.prepare', game: true },
  async ({ form, actor, game }) => resultOf(await closeRun(game, actor, form.runId), 'Closed.', CLOSE_REFUSALS),
);

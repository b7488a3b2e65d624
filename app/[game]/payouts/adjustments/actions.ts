'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { showControls } from '#app/_ui/figures/format.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { ACCOUNT_IN_TEXT } from '#lib/approvals/text.ts';
import { maskName, may } from '#lib/core/roles.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import {
  type AdjustmentField,
  type DecisionResult,
  decideProposal,
  previewTransfer,
  proposeAdjustment,
} from '#lib/payouts/adjust-balance.ts';
import { DECISION_REFUSALS, formatTransfer } from '#lib/payouts/text.ts';

const text = (most: number): z.ZodString => z.string().max(most);
const proposed = z.object({
  game: slugShape,
  kind: text(40),
  recipientId: text(40),
  toRecipientId: text(40).default(''),
  amount: text(40),
  reason: text(5_000),
  runNo: text(40),
  periodId: text(40),
  /** Of a transfer: the sentence the person read. */
  confirmed: text(2_000).default(''),
});
const decided = z.object({ game: slugShape, adjustmentId: idShape });

/** What is wrong with an entry of an adjustment, by field and problem. */
const ADJUSTMENT_ERRORS: Readonly<Record<string, string>> = {
  'amount.not_an_amount': 'Enter an amount in USD, such as 12.50 or −12.50.',
  'amount.not_whole_cents': 'Use at most two decimal places.',
  'amount.zero': 'Enter an amount other than zero.',
  'kind.unknown': 'Choose a kind.',
  'kind.too_late': 'The first run is in review or approved, so no run would include this. Propose a correction instead.',
  'reason.missing': 'Enter a reason. The statement of the recipient prints it.',
  'reason.too_long': 'Use at most 1,000 characters.',
  'reason.account': ACCOUNT_IN_TEXT,
  'recipientId.unknown': 'Invo has reported no recipient with this player ID.',
  'toRecipientId.missing': 'Enter the other recipient of the transfer.',
  'toRecipientId.unknown': 'Invo has reported no recipient with this player ID.',
  'runNo.unknown': 'No run has this number.',
  'runNo.missing': 'Enter the run whose month changed.',
  'periodId.missing': 'Enter the period that changed. Later runs count what is deducted of it.',
  'periodId.unknown': 'Invo has reported no such period of this recipient.',
};

/** A transfer that the person reads before it is proposed: `sentence` is sent along as `confirmed`. */
export type ProposeResult = FormResult<string, { kind: 'transfer'; sentence: string; amount_usd: string }>;

/** Proposes an adjustment; nothing changes until a second person confirms it. A transfer is proposed once the person has read who loses and who gets what. */
export const proposeAction = formAction(
  { schema: proposed, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<ProposeResult> => {
    const [recipientId, toRecipientId, periodId] = [form.recipientId, form.toRecipientId, form.periodId].map((typed) =>
      parseNumericId(typed.trim()),
    );
    const runNo = /^\d{1,5}$/.test(form.runNo.trim()) ? Number(form.runNo) : null;
    const invalid = (field: AdjustmentField, problem: string): FormResult => ({
      kind: 'invalid',
      fields: { [field]: ADJUSTMENT_ERRORS[`${field}.${problem}`] ?? 'Check this entry.' },
    });
    if (recipientId === null || recipientId === undefined) return invalid('recipientId', 'unknown');
    if (!toRecipientId && form.toRecipientId.trim() !== '') return invalid('toRecipientId', 'unknown');
    if (!periodId && form.periodId.trim() !== '') return invalid('periodId', 'unknown');
    if (runNo === null && form.runNo.trim() !== '') return invalid('runNo', 'unknown');
    const { kind, amount, reason } = form;
    const typed = { kind, amount, reason, recipientId, toRecipientId: toRecipientId ?? null, periodId: periodId ?? null, runNo };
    if (kind === 'transfer') {
      const transfer = await previewTransfer(game, typed);
      if (!transfer.ok) return invalid(transfer.field, transfer.problem);
      const { from, to, amount_usd } = transfer;
      const canSeeEmails = may(actor.roles, 'emails.read');
      const format = ({ recipientId: id, name }: typeof from): string =>
        name === null ? `Player ${id}` : `${showControls(maskName(name, canSeeEmails) ?? '')} (player ${id})`;
      const sentence = formatTransfer({ from: format(from), to: format(to), amount_usd });
      if (form.confirmed !== sentence) return { kind: 'transfer', sentence, amount_usd };
    }
    const answer = await proposeAdjustment(game, actor, typed, payeeKey());
    if (!answer.ok && answer.reason === 'invalid') return invalid(answer.field, answer.problem);
    return resultOf(answer, 'Proposed. It changes nothing until a second person confirms it.', DECISION_REFUSALS);
  },
);

/** Confirms an adjustment another person proposed. */
export const confirmAction = formAction(
  { schema: decided, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    toResult(await decideProposal(game, actor, { adjustmentId: form.adjustmentId, decision: 'confirmed' }), 'Confirmed.'),
);

/** Withdraws an adjustment that isn’t confirmed. */
export const withdrawAction = formAction({ schema: decided, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  toResult(await decideProposal(game, actor, { adjustmentId: form.adjustmentId, decision: 'withdrawn' }), 'Withdrawn.'),
);

function toResult(answer: DecisionResult<'too_late'>, done: string): FormResult {
  return resultOf(answer, answer.ok && answer.voidedSubmission ? `${done} The run in review is a draft again.` : done, DECISION_REFUSALS);
}

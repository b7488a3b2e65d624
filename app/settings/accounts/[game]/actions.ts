'use server';

import { z } from 'zod';
import { formAction, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { setAccounts } from '#lib/accounting/set-accounts.ts';
import { formatSharedCodes, MAPPING_ERRORS } from '#lib/accounting/text.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { INTEGER_MAX } from '#lib/core/typed-input.ts';

const shape = z.object({ game: slugShape, map_no: z.coerce.number().int().min(0).max(INTEGER_MAX) }).catchall(z.string().max(1_000));

const REFUSALS = {
  not_allowed: 'Your role can’t change accounts. No changes were made.',
  ...ACCOUNT_TEXT,
  changed:
    'Someone else has changed the accounts since you opened this page. Nothing was saved. Reload the page to see the current accounts.',
} as const;

/** Sets what the accounts of a game are called in its books. */
export const setAccountsAction = formAction(
  { schema: shape, who: 'payouts.prepare', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { game: _, map_no, ...typed } = form;
    const answer = await setAccounts(game, actor, { seenMapNo: map_no, typed });
    if (!answer.ok && answer.reason === 'invalid')
      return {
        kind: 'invalid',
        fields: Object.fromEntries(Object.entries(answer.errors).map(([field, error]) => [field, MAPPING_ERRORS[error]])),
      };
    if (!answer.ok) return { kind: 'refused', sentence: REFUSALS[answer.reason] };
    return {
      kind: 'done',
      sentence:
        `${answer.isChanged ? `Saved as account map ${answer.mapNo}. Files exported from now on use it.` : 'No changes.'} ${formatSharedCodes(answer.shared)}`.trim(),
    };
  },
);

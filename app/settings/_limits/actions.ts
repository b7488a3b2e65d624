'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { approveRaise, changeLimit, declineRaise, type LimitResult } from '#lib/approvals/change-limit.ts';
import { findLimits } from '#lib/approvals/reads.ts';
import { ceilingOf, LIMIT_NAMES, LIMITED_KEYS, limitNamed, parseLimit } from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT, formatLimit } from '#lib/approvals/text.ts';
import { compareMoney } from '#lib/core/money.ts';
import { ROLES_REFUSALS } from '#lib/people/text.ts';

const text = z.string().max(100);
const limitsShape = z.object({
  game: slugShape,
  what: z.enum(LIMITED_KEYS),
  support: text,
  finance: text,
  support_day: text,
  finance_day: text,
});
const raiseShape = z.object({ game: slugShape, what: z.enum(LIMITED_KEYS), name: z.enum(LIMIT_NAMES), amount: text });

/** Changes limits; those left as they were are not recorded as changed. */
export const changeLimitsAction = formAction(
  { schema: limitsShape, who: 'people.manage', game: true, password: freshPassword },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { what } = form;
    const errors = LIMIT_NAMES.flatMap((name) => {
      const typed = parseLimit(form[name]);
      if (typed === null) return [[name, 'Enter zero or more, such as 50.00.']];
      const ceiling = ceilingOf(what, name);
      return compareMoney(typed, ceiling) > 0 ? [[name, `No limit can exceed ${formatLimit(what, ceiling)}.`]] : [];
    });
    if (errors.length > 0) return { kind: 'invalid', fields: Object.fromEntries(errors) };
    const known = await findLimits(game.db, what, game.gameId);
    const changed = LIMIT_NAMES.filter((name) => compareMoney(parseLimit(form[name]) ?? '0', limitNamed(what, name, known)) !== 0);
    let waitingCount = 0;
    for (const name of changed) {
      const result = await changeLimit(game, actor, { what, name, typed: form[name] });
      if (!result.ok) return { kind: 'refused', sentence: `${LIMIT_REFUSALS[result.reason]} Reload the page to see the current limits.` };
      if (result.isWaiting) waitingCount += 1;
    }
    return { kind: 'done', sentence: formatSaved(changed.length, waitingCount) };
  },
);

const LIMIT_REFUSALS: Record<Extract<LimitResult, { ok: false }>['reason'], string> = {
  not_allowed: 'Only an admin can change limits, and your role has changed.',
  not_a_limit: 'Enter zero or more, such as 50.00.',
  above_ceiling: 'A limit exceeds its maximum.',
  ...ACCOUNT_TEXT,
};

/** A second person approves a higher limit. */
export const approveRaiseAction = formAction(
  { schema: raiseShape, who: 'refunds.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => resultOf(await approveRaise(game, actor, form), 'Approved. It applies from now on.', ROLES_REFUSALS),
);

/** Ends a higher limit before it applies. */
export const declineRaiseAction = formAction(
  { schema: raiseShape, who: 'figures.read', game: true, password: freshPassword },
  async ({ form, actor, game }) => resultOf(await declineRaise(game, actor, form), 'Declined. The limit stays as it is.', ROLES_REFUSALS),
);

function formatSaved(changedCount: number, waitingCount: number): string {
  if (changedCount === 0) return 'No changes.';
  if (waitingCount === 0) return 'Limits saved. They apply to what is requested from now on.';
  return `Saved. ${waitingCount === 1 ? 'The higher limit applies' : `${waitingCount} higher limits apply`} once a second person approves.`;
}

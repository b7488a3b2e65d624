'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { slugShape } from '#app/_server/receive-form.ts';
import { db } from '#app/_server/wiring.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { findRefundLimits } from '#db/refunds/reads/refund-preconditions.ts';
import { parseLimit } from '#lib/approvals/rules/approval.ts';
import { compareMoney } from '#lib/core/money.ts';
import { changeRefundLimit } from '#lib/refunds/pause-refunds.ts';
import { LIMITED_ROLES, limitOf } from '#lib/refunds/rules/limits.ts';

const text = z.string().max(100);
const shape = z.object({ game: slugShape, support: text, finance: text, admin: text });

/** Changes the auto-approval limits; those left as they were are not recorded as changed. */
export async function changeLimitsAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveForm(shape, form, 'people.manage');
  if (received.kind === 'refused') return received;
  const { game, context, actor, given } = received;
  const wrong = LIMITED_ROLES.filter((each) => parseLimit(given[each]) === null);
  if (wrong.length > 0)
    return { kind: 'invalid', fields: Object.fromEntries(wrong.map((each) => [each, 'Enter zero or more, such as 50.00.'])) };
  const known = await findRefundLimits(db(), game.gameId);
  const changed = LIMITED_ROLES.filter((each) => compareMoney(parseLimit(given[each]) ?? '0', limitOf(each, known) ?? '0') !== 0);
  for (const each of changed) {
    if (!(await changeRefundLimit(context.game, actor, each, given[each])))
      return {
        kind: 'refused',
        sentence: 'Only an admin can change limits, and your role has changed. Reload the page to see the current limits.',
      };
  }
  revalidatePath('/settings');
  return {
    kind: 'done',
    sentence: changed.length === 0 ? 'No changes.' : 'Limits saved. They apply to refunds requested from now on.',
  };
}

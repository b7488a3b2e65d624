'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { listRefundLimits } from '../../../db/queries/refunds/find-draft.ts';
import { compareMoney, parseMoney, signOfMoney } from '../../../lib/domain/money.ts';
import { DEFAULT_REFUND_LIMITS_USD, type LimitedRole, limitOf } from '../../../lib/domain/refund/refund-limits.ts';
import { changeRefundLimit } from '../../../lib/operations/refund/stop-refunds.ts';
import { checkOrigin } from '../../_server/action.ts';
import type { ActionState } from '../../_server/action-state.ts';
import { openDesk } from '../../_server/desk.ts';
import { requireGame } from '../../_server/game.ts';
import { requirePerson } from '../../_server/session.ts';
import { db } from '../../_server/wiring.ts';

const text = z.string().max(100);
const given = z.object({ game: z.string().max(40), support: text, finance: text, admin: text });
const ROLES = Object.keys(DEFAULT_REFUND_LIMITS_USD) as LimitedRole[];

/** Changes what roles may refund without a second person; those left as they were are not written down as changed. */
export async function changeLimitsAction(_: ActionState, form: FormData): Promise<ActionState> {
  const foreign = await checkOrigin();
  if (foreign) return foreign;
  const { id, email, role } = await requirePerson('people.manage');
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success) return { kind: 'refused', sentence: 'The form did not arrive whole, so nothing was done. Load the page again.' };
  const wrong = ROLES.filter((each) => !isLimit(asked.data[each]));
  if (wrong.length > 0)
    return { kind: 'invalid', fields: Object.fromEntries(wrong.map((each) => [each, 'Write an amount of zero or more, such as 50.00.'])) };
  const game = await requireGame(asked.data.game);
  const known = await listRefundLimits(db(), game.gameId);
  const changed = ROLES.filter((each) => compareMoney(asked.data[each].trim(), limitOf(each, known) ?? '0') !== 0);
  const desk = await openDesk(game);
  for (const each of changed) {
    if (!(await changeRefundLimit(desk.game, { id, email, role }, each, asked.data[each])))
      return { kind: 'refused', sentence: 'Only an admin may do this, and your role has changed. Nothing was done.' };
  }
  revalidatePath('/settings');
  return {
    kind: 'done',
    sentence: changed.length === 0 ? 'They were so already.' : 'Changed. It holds for what is asked for from now on.',
  };
}

// Ten digits before the point are more than anybody refunds, and keep a slip of the key from being a limit.
function isLimit(typed: string): boolean {
  const amount = parseMoney(typed.trim());
  return amount !== null && /^\d{1,10}(\.\d{1,2})?$/.test(amount) && signOfMoney(amount) >= 0;
}

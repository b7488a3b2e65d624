'use server';

import { z } from 'zod';
import { formAction } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { db } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { formatRoles, ROLES, type Role } from '#lib/core/roles.ts';
import { requireFactor } from '#lib/two-factor/manage-factors.ts';
import { FACTOR_REFUSALS } from '#lib/two-factor/text.ts';

const isChosen = z.literal('yes').optional();
const shape = z.object({
  needs_viewer: isChosen,
  needs_auditor: isChosen,
  needs_support: isChosen,
  needs_finance: isChosen,
  needs_admin: isChosen,
});

/** Decides which roles need two-factor authentication, by an admin who gave their password moments ago. */
export const requireFactorAction = formAction(
  { schema: shape, who: 'people.manage', password: freshPassword, refreshes: 'done' },
  async ({ form, actor }): Promise<FormResult> => {
    const roles = ROLES.filter((role: Role) => form[`needs_${role}`] === 'yes');
    const done = await requireFactor(db(), { actorId: actor.id, roles });
    if (!done.ok) return { kind: 'refused', sentence: FACTOR_REFUSALS[done.reason] };
    return {
      kind: 'done',
      sentence:
        roles.length === 0
          ? 'No role requires two-factor authentication.'
          : `Required for ${formatRoles(roles)}. It applies to their next page.`,
    };
  },
);

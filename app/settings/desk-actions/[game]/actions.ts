'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { addMilestone, removeMilestone } from '#lib/actions/name-milestones.ts';
import { MILESTONE_EVENTS, SWITCHED_GROUPS } from '#lib/actions/rules/kinds.ts';
import { confirmSwitch, declineSwitch, setSwitch } from '#lib/actions/set-switch.ts';
import { MILESTONE_REFUSALS, SWITCH_REFUSALS, SWITCH_RESULTS } from '#lib/actions/text.ts';
import { ROLES_REFUSALS } from '#lib/people/text.ts';

const switchShape = z.object({ game: slugShape, group: z.enum(SWITCHED_GROUPS) });
const requestShape = switchShape.extend({ requestedBy: z.string().max(100) });
const milestoneShape = z.object({ game: slugShape, eventType: z.enum(MILESTONE_EVENTS), name: z.string().max(1_000) });

/** Turns a group of desk actions off at once. */
export const turnOffGroupAction = formAction({ schema: switchShape, who: 'people.manage', game: true }, async ({ form, actor, game }) =>
  resultOf(await setSwitch(game, actor, { group: form.group, to: 'off' }), SWITCH_RESULTS.off, SWITCH_REFUSALS),
);

/** Turns a group on in a sandbox game, or requests it in production. */
export const turnOnGroupAction = formAction(
  { schema: switchShape, who: 'people.manage', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await setSwitch(game, actor, { group: form.group, to: 'on' });
    return resultOf(answer, answer.ok ? SWITCH_RESULTS[answer.is] : '', SWITCH_REFUSALS);
  },
);

/** A second person confirms the request of an admin to turn on a group. */
export const confirmSwitchAction = formAction(
  { schema: requestShape, who: 'actions.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => resultOf(await confirmSwitch(game, actor, form), SWITCH_RESULTS.on, ROLES_REFUSALS),
);

/** Ends a request to turn on a group. */
export const declineSwitchAction = formAction(
  { schema: requestShape, who: 'figures.read', game: true, password: freshPassword },
  async ({ form, actor, game }) => resultOf(await declineSwitch(game, actor, form), 'Declined. It stays off.', ROLES_REFUSALS),
);

/** Adds the name of a milestone. */
export const addMilestoneAction = formAction(
  { schema: milestoneShape.extend({ label: z.string().max(1_000) }), who: 'people.manage', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await addMilestone(game, actor, form);
    const field = answer.ok ? undefined : { not_a_name: 'name', not_a_label: 'label', no_change: null, not_allowed: null }[answer.reason];
    if (!answer.ok && field) return { kind: 'invalid', fields: { [field]: MILESTONE_REFUSALS[answer.reason] } };
    return resultOf(answer, 'Added. People can report it once the group Milestones is on.', MILESTONE_REFUSALS);
  },
);

/** Removes the name of a milestone. */
export const removeMilestoneAction = formAction(
  { schema: milestoneShape, who: 'people.manage', game: true },
  async ({ form, actor, game }) => resultOf(await removeMilestone(game, actor, form), 'Removed.', MILESTONE_REFUSALS),
);

'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { authSecret } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { HOUSE_REFUSALS, MILESTONE_REFUSALS, SEND_FLOW_REFUSALS, SWITCH_REFUSALS, SWITCH_RESULTS } from '#lib/actions/control-text.ts';
import { addHouseAccount, confirmHouseAccount, removeHouseAccount } from '#lib/actions/house-accounts.ts';
import { addMilestone, removeMilestone } from '#lib/actions/name-milestones.ts';
import { MILESTONE_EVENTS, SWITCHED_GROUPS } from '#lib/actions/rules/kinds.ts';
import { confirmSwitch, declineSwitch, setSendFlow, setSwitch } from '#lib/actions/set-switch.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
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

/** Sets Invo's word for a send that a phone approves. */
export const setSendFlowAction = formAction(
  { schema: z.object({ game: slugShape, word: z.string().max(1_000) }), who: 'people.manage', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await setSendFlow(game, actor, form.word);
    if (!answer.ok && answer.reason === 'not_a_word') return { kind: 'invalid', fields: { word: SEND_FLOW_REFUSALS.not_a_word } };
    return resultOf(answer, 'Saved. It applies when a phone is asked the next time.', SEND_FLOW_REFUSALS);
  },
);

/** Adds the name of a milestone. */
export const addMilestoneAction = formAction(
  { schema: milestoneShape.extend({ label: z.string().max(1_000) }), who: 'people.manage', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await addMilestone(game, actor, form);
    const field = answer.ok ? undefined : { not_a_name: 'name', not_a_label: 'label', no_change: null, not_allowed: null }[answer.reason];
    if (!answer.ok && field) return { kind: 'invalid', fields: { [field]: MILESTONE_REFUSALS[answer.reason] } };
    return resultOf(answer, 'Added. While the group Milestones is on, people can report it.', MILESTONE_REFUSALS);
  },
);

/** Removes the name of a milestone. */
export const removeMilestoneAction = formAction(
  { schema: milestoneShape, who: 'people.manage', game: true },
  async ({ form, actor, game }) => resultOf(await removeMilestone(game, actor, form), 'Removed.', MILESTONE_REFUSALS),
);

const typedText = z.string().max(1_000);
const houseShape = z.object({ game: slugShape, playerId: typedText, label: typedText, phone: typedText, phoneAgain: typedText });
const shownHouseShape = z.object({ game: slugShape, houseAccountId: idShape, requestedBy: z.string().max(100) });

/** Adds a house account, or requests it in production. */
export const addHouseAccountAction = formAction(
  { schema: houseShape, who: 'people.manage', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const playerId = parseNumericId(form.playerId.trim());
    if (playerId === null) return { kind: 'invalid', fields: { playerId: HOUSE_REFUSALS.unknown_player } };
    const answer = await addHouseAccount(game, actor, { ...form, playerId }, Buffer.from(authSecret()));
    if (answer.ok)
      return { kind: 'done', sentence: answer.isConfirmed ? 'Added.' : 'Requested. It counts once a second person confirms it.' };
    const field = {
      not_a_label: 'label',
      not_a_phone: 'phone',
      phones_differ: 'phoneAgain',
      unknown_player: 'playerId',
      there_already: 'playerId',
    }[answer.reason as string];
    const sentence = HOUSE_REFUSALS[answer.reason];
    return field === undefined ? { kind: 'refused', sentence } : { kind: 'invalid', fields: { [field]: sentence } };
  },
);

/** A second person confirms a house account. */
export const confirmHouseAccountAction = formAction(
  { schema: shownHouseShape, who: 'actions.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    resultOf(await confirmHouseAccount(game, actor, form), 'Confirmed. People can send from it.', HOUSE_REFUSALS),
);

/** Removes a house account, or rejects one that waits. */
export const removeHouseAccountAction = formAction(
  { schema: shownHouseShape.omit({ requestedBy: true }), who: 'figures.read', game: true },
  async ({ form, actor, game }) =>
    resultOf(await removeHouseAccount(game, actor, form), 'Removed. Its phone number is no longer stored.', HOUSE_REFUSALS),
);

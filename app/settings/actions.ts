'use server';

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Capability, formatRoles, ROLES, type Role } from '#lib/core/roles.ts';
import { mailLink } from '#lib/people/mail-link.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink, withdrawPasswordLink } from '#lib/people/manage-people.ts';
import { approveRoles, confirmPerson, declineRoles, type RolesDecided } from '#lib/people/second-person.ts';
import { CONFIRM_REFUSALS, formatRolesChanged, PEOPLE_REFUSALS, type PeopleRefusal, ROLES_REFUSALS } from '#lib/people/text.ts';
import { requireFactor, resetFactor } from '#lib/two-factor/manage-factors.ts';
import { FACTOR_REFUSALS } from '#lib/two-factor/text.ts';
import { formAction } from '../_server/form-action.ts';
import { freshPassword } from '../_server/fresh-password.ts';
import { config, db } from '../_server/server-context.ts';
import type { FormResult } from '../_ui/forms/form.tsx';

const text = z.string().max(1_000);
const isChosen = z.literal('yes').optional();
const chosen = { role_viewer: isChosen, role_auditor: isChosen, role_support: isChosen, role_finance: isChosen, role_admin: isChosen };
const newPersonSchema = z.object({ email: text, name: text, ...chosen });
const personSchema = z.object({ personId: text });
/** The account as the page showed it, so that nothing done since is confirmed. */
const shownSchema = personSchema.extend({ version: text });
const rolesSchema = z.object({ personId: text, ...chosen });
/** The roles as the page showed them, so that nothing else is approved. */
const decisionSchema = z.object({
  personId: text,
  roles: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(ROLES))),
});

const factorSchema = z.object({
  needs_viewer: isChosen,
  needs_auditor: isChosen,
  needs_support: isChosen,
  needs_finance: isChosen,
  needs_admin: isChosen,
});

/** Adds a person and hands their link over, or emails it to them. */
export const addPersonAction = change(newPersonSchema, 'people.manage', async (actorId, { email, name, ...given }) => {
  const added = await addPerson(db(), { actorId, email, name, roles: rolesIn(given) });
  if (!added.ok) return refusalOf(added.reason);
  const waiting = added.isWaiting ? ' The roles finance and admin wait for a second person.' : '';
  return await handOver(
    { actorId, personId: added.personId, email: email.trim().toLowerCase(), token: added.token },
    `${name.trim()} was added.${waiting} Their account counts as one of two people once they have set a password and a second person confirms it.`,
  );
});

/** Gives a person other roles. */
export const changeRolesAction = change(rolesSchema, 'people.manage', async (actorId, { personId, ...given }) => {
  const roles = rolesIn(given);
  const changed = await changeRoles(db(), { actorId, personId, roles }, config());
  return changed.ok ? { kind: 'done', sentence: formatRolesChanged(roles, changed) } : refusalOf(changed.reason);
});

/** Makes a new one-time link to set a password. */
export const newLinkAction = change(personSchema, 'people.manage', async (actorId, { personId }) => {
  const made = await resetPasswordLink(db(), { actorId, personId }, { isMailed: mailServer() !== null });
  if (!made.ok) return refusalOf(made.reason);
  return await handOver({ actorId, personId, email: made.email, token: made.token }, 'Earlier links no longer work.');
});

/** Puts the person who acts behind another account. */
export const confirmPersonAction = change(shownSchema, 'figures.read', async (actorId, { personId, version }) => {
  const done = await confirmPerson(db(), { actorId, personId, version });
  if (!done.ok) return { kind: 'refused', sentence: CONFIRM_REFUSALS[done.reason] };
  const sentence = done.isConfirmed
    ? 'Confirmed. The account counts where two people are needed.'
    : 'Confirmed by you. One more person, or the operator, must confirm the account before it counts.';
  return { kind: 'done', sentence };
});

/** Disables a person. */
export const disablePersonAction = change(personSchema, 'people.manage', async (actorId, { personId }) => {
  const done = await disablePerson(db(), { actorId, personId });
  return done.ok ? { kind: 'done', sentence: 'Disabled and signed out.' } : refusalOf(done.reason);
});

/** Enables a person again. */
export const enablePersonAction = change(personSchema, 'people.manage', async (actorId, { personId }) => {
  const done = await enablePerson(db(), { actorId, personId }, config());
  return done.ok ? { kind: 'done', sentence: 'Enabled. They can sign in again.' } : refusalOf(done.reason);
});

/** Removes a person's second factor. */
export const resetFactorAction = change(personSchema, 'people.manage', async (actorId, { personId }) => {
  const done = await resetFactor(db(), { actorId, personId }, config());
  if (!done.ok) return { kind: 'refused', sentence: FACTOR_REFUSALS[done.reason] };
  return { kind: 'done', sentence: 'Reset. They were signed out. Someone else must confirm the account before it counts again.' };
});

/** A second person gives a person the roles an admin requested. */
export const approveRolesAction = change(decisionSchema, 'refunds.approve', async (actorId, given) =>
  decided(await approveRoles(db(), { ...given, actorId }, config()), 'Approved.'),
);

/** Rejects roles an admin requested, or withdraws the admin's own request. */
export const declineRolesAction = change(decisionSchema, 'figures.read', async (actorId, given) =>
  decided(await declineRoles(db(), { ...given, actorId }), 'Declined. The roles stay as they are.'),
);

/** Decides which roles need two-factor authentication, by an admin who gave their password moments ago. */
export const requireFactorAction = formAction(
  { schema: factorSchema, who: 'people.manage', password: freshPassword, refreshes: 'done' },
  async ({ form, actor }): Promise<FormResult> => {
    const roles = ROLES.filter((role) => form[`needs_${role}`] === 'yes');
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

function decided(answer: RolesDecided, sentence: string): FormResult {
  return answer.ok ? { kind: 'done', sentence } : { kind: 'refused', sentence: ROLES_REFUSALS[answer.reason] };
}

/** A change to people: by a person with the right, who gave their password moments ago. */
function change<Schema extends z.ZodType>(
  schema: Schema,
  who: Capability,
  act: (actorId: string, form: z.output<Schema>) => Promise<FormResult>,
) {
  return formAction({ schema, who, password: freshPassword }, async ({ form, actor }): Promise<FormResult> => {
    return await act(actor.id, form);
  });
}

/** Emails a link to its person where there is a mail server, so that nobody else sees it; otherwise shows it to who made it. */
async function handOver(
  { actorId, personId, email, token }: { actorId: string; personId: string; email: string; token: string },
  sentence: string,
): Promise<FormResult> {
  const { origin } = config();
  const link = `${origin}/set-up?token=${token}`;
  const server = mailServer();
  if (server === null) return { kind: 'done', sentence: `${sentence} Send them this link to set a password.`, link };
  const messageId = `<link-${randomUUID()}@${new URL(origin).hostname}>`;
  const { state } = await mailLink(server, { to: email, link, origin, messageId });
  switch (state) {
    case 'sent':
      return { kind: 'done', sentence: `${sentence} The link was emailed to ${email}.` };
    case 'unknown':
      return {
        kind: 'done',
        sentence: `${sentence} The mail server didn’t confirm the email to ${email}. Ask them whether the link arrived before you create another.`,
      };
    case 'refused':
    case 'later':
      await withdrawPasswordLink(db(), { actorId, personId });
      return {
        kind: 'refused',
        sentence: `The mail server didn’t accept the email to ${email}. The link was withdrawn. Check the address and create a new link.`,
      };
  }
}

function mailServer(): Exclude<ReturnType<typeof config>['mail'], 'outbox'> {
  const { mail } = config();
  return mail === 'outbox' ? null : mail;
}

function rolesIn(given: Partial<Record<`role_${Role}`, 'yes' | undefined>>): Role[] {
  return ROLES.filter((role) => given[`role_${role}`] === 'yes');
}

function refusalOf(reason: PeopleRefusal): FormResult {
  if (reason === 'bad_email' || reason === 'email_taken') return { kind: 'invalid', fields: { email: PEOPLE_REFUSALS[reason] } };
  if (reason === 'bad_name' || reason === 'name_taken') return { kind: 'invalid', fields: { name: PEOPLE_REFUSALS[reason] } };
  return { kind: 'refused', sentence: PEOPLE_REFUSALS[reason] };
}

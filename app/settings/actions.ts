'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { ROLES, type Role } from '#lib/core/roles.ts';
import { resetFactor } from '#lib/factors/manage-factors.ts';
import { FACTOR_REFUSALS } from '#lib/factors/text.ts';
import { approveRoles, declineRoles, type RolesDecided } from '#lib/people/approve-roles.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from '#lib/people/manage-people.ts';
import { formatRolesChanged, PEOPLE_REFUSALS, type PeopleRefusal, ROLES_REFUSALS } from '#lib/people/text.ts';
import { receivePersonApproval } from '../_server/receive-approval.ts';
import { receivePersonForm } from '../_server/receive-form.ts';
import { config, db } from '../_server/wiring.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';

const text = z.string().max(1_000);
const isChosen = z.literal('yes').optional();
const chosen = { role_viewer: isChosen, role_auditor: isChosen, role_support: isChosen, role_finance: isChosen, role_admin: isChosen };
const newPersonSchema = z.object({ email: text, name: text, ...chosen });
const personSchema = z.object({ personId: text });
const rolesSchema = z.object({ personId: text, ...chosen });
/** The roles as the page showed them, so that nothing else is approved. */
const decisionSchema = z.object({
  personId: text,
  roles: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(ROLES))),
});

/** Adds a person and returns the link to hand over. */
export async function addPersonAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(newPersonSchema, form, async (actorId, { email, name, ...given }) => {
    const added = await addPerson(db(), { actorId, email, name, roles: rolesIn(given) });
    if (!added.ok) return refusalOf(added.reason);
    const waiting = added.isWaiting ? ' The right to approve waits for a second person.' : '';
    return {
      kind: 'done',
      sentence: `${name.trim()} was added. Send them this link to set a password.${waiting}`,
      link: linkOf(added.token),
    };
  });
}

/** Gives a person other roles. */
export async function changeRolesAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(rolesSchema, form, async (actorId, { personId, ...given }) => {
    const roles = rolesIn(given);
    const changed = await changeRoles(db(), { actorId, personId, roles });
    return changed.ok ? { kind: 'done', sentence: formatRolesChanged(roles, changed) } : refusalOf(changed.reason);
  });
}

/** Makes a new one-time link to set a password. */
export async function newLinkAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const made = await resetPasswordLink(db(), { actorId, personId });
    if (!made.ok) return refusalOf(made.reason);
    return { kind: 'done', sentence: 'Send them this link. Earlier links no longer work.', link: linkOf(made.token) };
  });
}

/** Disables a person. */
export async function disablePersonAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const done = await disablePerson(db(), { actorId, personId });
    return done.ok ? { kind: 'done', sentence: 'Disabled and signed out.' } : refusalOf(done.reason);
  });
}

/** Enables a person again. */
export async function enablePersonAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const done = await enablePerson(db(), { actorId, personId }, config());
    return done.ok ? { kind: 'done', sentence: 'Enabled. They can sign in again.' } : refusalOf(done.reason);
  });
}

/** Removes a person's second factor, by an admin who gave their password moments ago. */
export async function resetFactorAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonApproval(personSchema, form, 'people.manage');
  if (received.kind !== 'received') return received;
  const done = await resetFactor(db(), { actorId: received.actor.id, personId: received.given.personId }, config());
  if (!done.ok) return { kind: 'refused', sentence: FACTOR_REFUSALS[done.reason] };
  revalidatePath('/settings');
  return { kind: 'done', sentence: 'Reset. They were signed out and can set it up again.' };
}

/** A second person gives a person the roles an admin asked for. */
export async function approveRolesAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonApproval(decisionSchema, form, 'refunds.approve');
  if (received.kind !== 'received') return received;
  return decided(await approveRoles(db(), { ...received.given, actorId: received.actor.id }, config()), 'Approved.');
}

/** Rejects roles an admin asked for, or withdraws the admin's own request. */
export async function declineRolesAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonForm(decisionSchema, form, 'figures.read');
  if (received.kind === 'refused') return received;
  return decided(await declineRoles(db(), { ...received.given, actorId: received.actor.id }), 'Declined. The roles stay as they are.');
}

function decided(answer: RolesDecided, sentence: string): FormResult {
  revalidatePath('/settings');
  return answer.ok ? { kind: 'done', sentence } : { kind: 'refused', sentence: ROLES_REFUSALS[answer.reason] };
}

async function asAdmin<Input>(
  schema: z.ZodType<Input>,
  form: FormData,
  act: (actorId: string, input: Input) => Promise<FormResult>,
): Promise<FormResult> {
  const received = await receivePersonForm(schema, form, 'people.manage');
  if (received.kind === 'refused') return received;
  const result = await act(received.actor.id, received.given);
  revalidatePath('/settings');
  return result;
}

function rolesIn(given: Partial<Record<`role_${Role}`, 'yes' | undefined>>): Role[] {
  return ROLES.filter((role) => given[`role_${role}`] === 'yes');
}

function refusalOf(reason: PeopleRefusal): FormResult {
  if (reason === 'bad_email' || reason === 'email_taken') return { kind: 'invalid', fields: { email: PEOPLE_REFUSALS[reason] } };
  if (reason === 'bad_name') return { kind: 'invalid', fields: { name: PEOPLE_REFUSALS[reason] } };
  return { kind: 'refused', sentence: PEOPLE_REFUSALS[reason] };
}

function linkOf(token: string): string {
  return `${config().origin}/set-up?token=${token}`;
}

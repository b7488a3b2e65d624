'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { ROLES } from '#lib/core/roles.ts';
import { addPerson, changeRole, disablePerson, enablePerson, resetPasswordLink } from '#lib/people/manage-people.ts';
import { formatRoleChanged, PEOPLE_REFUSALS, type PeopleRefusal } from '#lib/people/text.ts';
import { receivePersonForm } from '../_server/receive-form.ts';
import { config, db } from '../_server/wiring.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';

const text = z.string().max(1_000);
const newPersonSchema = z.object({ email: text, name: text, role: z.enum(ROLES) });
const personSchema = z.object({ personId: text });
const roleSchema = z.object({ personId: text, role: z.enum(ROLES) });

/** Adds a person and returns the link to hand over. */
export async function addPersonAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(newPersonSchema, form, async (actorId, { email, name, role }) => {
    const added = await addPerson(db(), { actorId, email, name, role });
    if (!added.ok) return refusalOf(added.reason);
    return { kind: 'done', sentence: `${name.trim()} was added. Send them this link to set a password.`, link: linkOf(added.token) };
  });
}

/** Gives a person another role. */
export async function changeRoleAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await asAdmin(roleSchema, form, async (actorId, { personId, role }) => {
    const changed = await changeRole(db(), { actorId, personId, role });
    return changed.ok ? { kind: 'done', sentence: formatRoleChanged(role, changed.sessionsEnded) } : refusalOf(changed.reason);
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
    const done = await enablePerson(db(), { actorId, personId });
    return done.ok ? { kind: 'done', sentence: 'Enabled. They can sign in again.' } : refusalOf(done.reason);
  });
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

function refusalOf(reason: PeopleRefusal): FormResult {
  if (reason === 'bad_email' || reason === 'email_taken') return { kind: 'invalid', fields: { email: PEOPLE_REFUSALS[reason] } };
  if (reason === 'bad_name') return { kind: 'invalid', fields: { name: PEOPLE_REFUSALS[reason] } };
  return { kind: 'refused', sentence: PEOPLE_REFUSALS[reason] };
}

function linkOf(token: string): string {
  return `${config().origin}/set-up?token=${token}`;
}

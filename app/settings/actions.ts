'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { ROLES } from '#lib/core/roles.ts';
import { addPerson } from '#lib/people/add-person.ts';
import { changeRole } from '#lib/people/change-role.ts';
import { disablePerson, enablePerson } from '#lib/people/disable-person.ts';
import { resetPasswordLink } from '#lib/people/reset-password-link.ts';
import { checkOrigin } from '../_server/action.ts';
import type { ActionState } from '../_server/action-state.ts';
import { NOT_WHOLE } from '../_server/pass-gates.ts';
import { requirePerson } from '../_server/session.ts';
import { config, db } from '../_server/wiring.ts';
import { answerRefusal, sayRoleChanged } from './people-words.ts';

const text = z.string().max(1_000);
const newPersonSchema = z.object({ email: text, name: text, role: z.enum(ROLES) });
const personSchema = z.object({ personId: text });
const roleSchema = z.object({ personId: text, role: z.enum(ROLES) });

/** Adds a person and answers with the link to hand over. */
export async function addPersonAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await asAdmin(newPersonSchema, form, async (actorId, { email, name, role }) => {
    const added = await addPerson(db(), { actorId, email, name, role });
    if (!added.ok) return answerRefusal(added.reason);
    return {
      kind: 'done',
      sentence: `${name.trim()} was added. Hand them this link; they set their own password with it.`,
      link: linkOf(added.token),
    };
  });
}

/** Gives a person another role. */
export async function changeRoleAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await asAdmin(roleSchema, form, async (actorId, { personId, role }) => {
    const changed = await changeRole(db(), { actorId, personId, role });
    return changed.ok ? { kind: 'done', sentence: sayRoleChanged(role, changed.sessionsEnded) } : answerRefusal(changed.reason);
  });
}

/** Makes a new one-time link to set a password. */
export async function newLinkAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const made = await resetPasswordLink(db(), { actorId, personId });
    if (!made.ok) return answerRefusal(made.reason);
    return { kind: 'done', sentence: 'Hand them this link. Earlier ones open nothing any more.', link: linkOf(made.token) };
  });
}

/** Keeps a person out. */
export async function disablePersonAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const done = await disablePerson(db(), { actorId, personId });
    return done.ok ? { kind: 'done', sentence: 'They were signed out and cannot come in.' } : answerRefusal(done.reason);
  });
}

/** Lets a person in again. */
export async function enablePersonAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await asAdmin(personSchema, form, async (actorId, { personId }) => {
    const done = await enablePerson(db(), { actorId, personId });
    return done.ok ? { kind: 'done', sentence: 'They may sign in again.' } : answerRefusal(done.reason);
  });
}

async function asAdmin<Input>(
  schema: z.ZodType<Input>,
  form: FormData,
  act: (actorId: string, input: Input) => Promise<ActionState>,
): Promise<ActionState> {
  const refused = await checkOrigin();
  if (refused) return refused;
  const { id } = await requirePerson('people.manage');
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return NOT_WHOLE;
  const answer = await act(id, parsed.data);
  revalidatePath('/settings');
  return answer;
}

function linkOf(token: string): string {
  return `${config().origin}/set-up?token=${token}`;
}

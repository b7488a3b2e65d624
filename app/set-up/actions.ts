'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { useSetUpLink } from '#lib/people/use-set-up-link.ts';
import { checkOrigin } from '../_server/action.ts';
import type { ActionState } from '../_server/action-state.ts';
import { openSession } from '../_server/auth/open-session.ts';
import { db } from '../_server/wiring.ts';
import { answerSetUp } from './set-up-words.ts';

const text = z.string().max(1_000);
const formSchema = z.object({ token: text, name: text, email: text.default(''), password: text, repeated: text });

/** Sets name and password through a one-time link and signs that person in. The token is the permission. */
export async function setUp(_: ActionState, form: FormData): Promise<ActionState> {
  const refused = await checkOrigin();
  if (refused) return refused;
  const parsed = formSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return { kind: 'refused', sentence: 'The form did not arrive whole. Open the link again.' };
  const { repeated, ...words } = parsed.data;
  if (repeated !== words.password) return { kind: 'invalid', fields: { repeated: 'The two passwords differ.' } };
  const done = await useSetUpLink(db(), words);
  if (!done.ok) return answerSetUp(done.reason);
  redirect((await openSession(done.email, words.password)) ? '/' : '/sign-in');
}

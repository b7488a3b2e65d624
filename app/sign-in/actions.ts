'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { countSignIn, forgetSignIns } from '#lib/people/count-sign-in.ts';
import { ensureDemoPeople } from '#lib/people/ensure-demo-people.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '#lib/people/rules/demo-people.ts';
import { checkOrigin } from '../_server/action.ts';
import type { ActionState } from '../_server/action-state.ts';
import { openSession } from '../_server/auth/open-session.ts';
import { config, db } from '../_server/wiring.ts';
import { readNextAddress } from './next-address.ts';
import { NOT_SIGNED_IN, TOO_MANY_ATTEMPTS } from './sign-in-words.ts';

const formSchema = z.object({ email: z.email().max(254), password: z.string().min(1).max(1_000), next: z.string().optional() });
const demoSchema = z.object({ email: z.enum(DEMO_PEOPLE.map((person) => person.email)), next: z.string().optional() });

/** Signs a person in by e-mail and password, and goes on to where they wanted to. */
export async function signIn(_: ActionState, form: FormData): Promise<ActionState> {
  const refused = await checkOrigin();
  if (refused) return refused;
  const parsed = formSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return NOT_SIGNED_IN;
  const { email, password, next } = parsed.data;
  const counted = await countSignIn(db(), { email, source: await sourceOfRequest() });
  if (!counted.ok) return TOO_MANY_ATTEMPTS;
  if (!(await openSession(email, password))) return NOT_SIGNED_IN;
  await forgetSignIns(db(), email);
  redirect(readNextAddress(next));
}

/** Signs in as one of the demo people. In simulated data only; anywhere else it answers as for a wrong password. */
export async function signInAsDemoPerson(_: ActionState, form: FormData): Promise<ActionState> {
  const refused = await checkOrigin();
  if (refused) return refused;
  const parsed = demoSchema.safeParse(Object.fromEntries(form));
  if (!config().isSimulated || !parsed.success) return NOT_SIGNED_IN;
  await ensureDemoPeople(db(), config());
  if (!(await openSession(parsed.data.email, DEMO_PASSWORD))) return NOT_SIGNED_IN;
  redirect(readNextAddress(parsed.data.next));
}

/** The address nearest to us that the server in front, or else the socket, tells of. A made-up one still meets the limit of its e-mail. */
async function sourceOfRequest(): Promise<string> {
  return (await headers()).get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown';
}

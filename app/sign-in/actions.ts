'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { countSignIn, forgetSignIns } from '#lib/people/count-sign-in.ts';
import { ensureDemoPeople } from '#lib/people/ensure-demo-people.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '#lib/people/rules/person.ts';
import { INCORRECT_SIGN_IN, TOO_MANY_SIGN_INS } from '#lib/people/text.ts';
import { openSession } from '../_server/auth.ts';
import { receivePublicForm } from '../_server/receive-form.ts';
import { config, db } from '../_server/wiring.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';
import { parseNextPath } from './next-path.ts';

const formSchema = z.object({ email: z.string(), password: z.string(), next: z.string().optional() });
const typedSchema = z.object({ email: z.email().max(254), password: z.string().min(1).max(1_000) });
const demoSchema = z.object({ email: z.string(), next: z.string().optional() });
const INCORRECT: FormResult = { kind: 'refused', sentence: INCORRECT_SIGN_IN };

/** Signs a person in by email and password and opens the page they asked for. */
export async function signIn(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePublicForm(formSchema, form);
  if (received.kind === 'refused') return received;
  const typed = typedSchema.safeParse(received.given);
  if (!typed.success) return INCORRECT;
  const { email, password } = typed.data;
  // The password of the demo people is published: it has to work before anyone signed in by a click.
  if (config().isSimulated) await ensureDemoPeople(db(), config());
  const counted = await countSignIn(db(), { email, source: await sourceOfRequest() });
  if (!counted.ok) return { kind: 'refused', sentence: TOO_MANY_SIGN_INS };
  if (!(await openSession(email, password))) return INCORRECT;
  await forgetSignIns(db(), email);
  redirect(parseNextPath(received.given.next));
}

/** Signs in as a demo person, in simulated data only. Anywhere else the answer is that of a wrong password. */
export async function signInAsDemoPerson(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePublicForm(demoSchema, form);
  if (received.kind === 'refused') return received;
  const person = DEMO_PEOPLE.find(({ email }) => email === received.given.email);
  if (!config().isSimulated || person === undefined) return INCORRECT;
  await ensureDemoPeople(db(), config());
  if (!(await openSession(person.email, DEMO_PASSWORD))) return INCORRECT;
  redirect(parseNextPath(received.given.next));
}

/** The client's address as the server in front, else the socket, reports it. A forged one still meets the limit of its email. */
async function sourceOfRequest(): Promise<string> {
  return (await headers()).get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown';
}

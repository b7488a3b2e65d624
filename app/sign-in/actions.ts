'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { countSignIn, forgetSignIns } from '#lib/people/count-sign-in.ts';
import { ensureDemoPeople } from '#lib/people/manage-people.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '#lib/people/rules/person.ts';
import { INCORRECT_SIGN_IN, SIGN_IN_BUSY, TOO_MANY_SIGN_INS } from '#lib/people/text.ts';
import { finishSecondStep } from '#lib/two-factor/check-code.ts';
import { CODE_REFUSALS, STARTED_SIGN_IN_OVER } from '#lib/two-factor/text.ts';
import { formAction } from '../_server/form-action.ts';
import { authSecret, config, db, storedNow } from '../_server/server-context.ts';
import { findStartedStep, markBrowser, openSecondSession, openSession, readSignInAttempt } from '../_server/sign-in-cookies.ts';
import type { FormResult } from '../_ui/forms/form.tsx';
import { parseNextPath } from './next-path.ts';

const formSchema = z.object({ email: z.string(), password: z.string(), next: z.string().optional() });
const typedSchema = z.object({ email: z.email().max(254), password: z.string().min(1).max(1_000) });
const demoSchema = z.object({ email: z.string(), next: z.string().optional() });
const INCORRECT: FormResult = { kind: 'refused', sentence: INCORRECT_SIGN_IN };

/** Signs a person in by email and password and opens the page they requested. */
export const signIn = formAction({ schema: formSchema, who: 'anyone' }, async ({ form }): Promise<FormResult> => {
  const typed = typedSchema.safeParse(form);
  if (!typed.success) return INCORRECT;
  const { email, password } = typed.data;
  // The password of the demo people is published: it has to work before anyone signed in by a click.
  if (config().isSimulated) await ensureDemoPeople(db(), config());
  const attempt = await readSignInAttempt(email);
  const counted = await countSignIn(db(), attempt);
  if (!counted.ok) return { kind: 'refused', sentence: TOO_MANY_SIGN_INS };
  const opened = await openSession(email, password);
  if (opened === 'busy') return { kind: 'refused', sentence: SIGN_IN_BUSY };
  if (opened === 'refused') return INCORRECT;
  // The attempt still counts: wrong codes count with wrong passwords, until a code is right.
  if (opened === 'code_needed') redirect(codeAddress(form.next));
  await forgetSignIns(db(), attempt);
  await markBrowser(email);
  redirect(parseNextPath(form.next));
});

/** Signs in as a demo person, in simulated data only. Anywhere else the answer is that of a wrong password. */
export const signInAsDemoPerson = formAction({ schema: demoSchema, who: 'anyone' }, async ({ form }): Promise<FormResult> => {
  const person = DEMO_PEOPLE.find(({ email }) => email === form.email);
  if (!config().isSimulated || person === undefined) return INCORRECT;
  await ensureDemoPeople(db(), config());
  const opened = await openSession(person.email, DEMO_PASSWORD);
  if (opened === 'code_needed') redirect(codeAddress(form.next));
  if (opened !== 'opened') return INCORRECT;
  redirect(parseNextPath(form.next));
});

function codeAddress(next: string | undefined): string {
  return `/sign-in/code?next=${encodeURIComponent(parseNextPath(next))}`;
}

const codeSchema = z.object({ code: z.string().max(100), next: z.string().optional() });

/** Checks the code of a person whose password was right in this browser, signs them in and opens the page they requested. */
export const enterCode = formAction({ schema: codeSchema, who: 'anyone' }, async ({ form }): Promise<FormResult> => {
  const step = await findStartedStep();
  if (step === null) return { kind: 'refused', sentence: STARTED_SIGN_IN_OVER };
  const { code, next } = form;
  const attempt = await readSignInAttempt(step.email);
  const done = await finishSecondStep(db(), { token: step.token, attempt, code, now: await storedNow(), authSecret: authSecret() });
  if (!done.ok) {
    if (done.reason === 'too_many_attempts') return { kind: 'refused', sentence: TOO_MANY_SIGN_INS };
    if (done.reason === 'expired_sign_in') return { kind: 'refused', sentence: STARTED_SIGN_IN_OVER };
    return { kind: 'invalid', fields: { code: CODE_REFUSALS[done.reason] } };
  }
  if ((await openSecondSession(done, done.by)) !== 'opened') return { kind: 'refused', sentence: INCORRECT_SIGN_IN };
  await markBrowser(step.email);
  redirect(parseNextPath(next));
});

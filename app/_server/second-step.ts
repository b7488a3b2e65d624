import 'server-only';
import { cookies } from 'next/headers';
import { cache } from 'react';
import { findPersonIdByEmail } from '#db/people/reads.ts';
import { findSecondStep, startSecondStep } from '#lib/factors/finish-sign-in.ts';
import { SECOND_STEP_MINUTES } from '#lib/factors/rules/code.ts';
import { config, db } from './wiring.ts';

/** Begins the second step of a sign-in: the browser keeps its token for five minutes, and only the pages that sign people in get it. */
export async function beginSecondStep(email: string): Promise<void> {
  const personId = await findPersonIdByEmail(db(), email.toLowerCase());
  if (personId === null) throw new Error('the person whose password was right is gone');
  await setToken(await startSecondStep(db(), personId), SECOND_STEP_MINUTES * 60);
}

/** The token of the second step that this browser has started, and its person; null: none, or its time is over. */
export const findStartedStep: () => Promise<{ token: string; email: string } | null> = cache(async () => {
  const token = (await cookies()).get(cookieName())?.value ?? '';
  const found = token === '' ? null : await findSecondStep(db(), token);
  return found && { token, email: found.email };
});

/** Forgets the second step in this browser. */
export async function endSecondStep(): Promise<void> {
  await setToken('', 0);
}

async function setToken(token: string, maxAge: number): Promise<void> {
  const secure = config().origin.startsWith('https:');
  (await cookies()).set(cookieName(), token, { httpOnly: true, sameSite: 'lax', secure, maxAge, path: '/sign-in' });
}

function cookieName(): string {
  return `${config().origin.startsWith('https:') ? '__Secure-' : ''}sharebook.second_step`;
}

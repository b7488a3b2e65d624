'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { formAction } from '#app/_server/form-action.ts';
import { authSecret, db, storedNow } from '#app/_server/server-context.ts';
import { findStartedStep, markBrowser, openSecondSession, readSignInAttempt } from '#app/_server/sign-in-cookies.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { INCORRECT_SIGN_IN, TOO_MANY_SIGN_INS } from '#lib/people/text.ts';
import { finishSecondStep } from '#lib/two-factor/finish-sign-in.ts';
import { CODE_REFUSALS, STARTED_SIGN_IN_OVER } from '#lib/two-factor/text.ts';
import { parseNextPath } from '../next-path.ts';

const formSchema = z.object({ code: z.string().max(100), next: z.string().optional() });

/** Checks the code of a person whose password was right in this browser, signs them in and opens the page they requested. */
export const enterCode = formAction({ schema: formSchema, who: 'anyone' }, async ({ form }): Promise<FormResult> => {
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

'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type SetUpDone, useSetUpLink } from '#lib/people/set-up-link.ts';
import { LINK_REFUSALS, type LinkRefusal, SET_UP_FIELD_ERRORS } from '#lib/people/text.ts';
import { formAction } from '../_server/form-action.ts';
import { config, db } from '../_server/server-context.ts';
import { openSession } from '../_server/sign-in-cookies.ts';
import type { FormResult } from '../_ui/forms/form.tsx';

const text = z.string().max(1_000);
const formSchema = z.object({ token: text, name: text.default(''), email: text.default(''), password: text, repeated: text });

/** Sets a name and a password through a one-time link and signs that person in. The token is the permission. */
export const setUp = formAction({ schema: formSchema, who: 'anyone' }, async ({ form }): Promise<FormResult> => {
  const { repeated, ...typed } = form;
  if (repeated !== typed.password) return { kind: 'invalid', fields: { repeated: 'The passwords don’t match.' } };
  const done = await useSetUpLink(db(), typed, config());
  if (!done.ok) return refusalOf(done.reason);
  const opened = await openSession(done.email, typed.password);
  redirect(opened === 'opened' ? '/' : opened === 'code_needed' ? '/sign-in/code' : '/sign-in');
});

type Reason = Extract<SetUpDone, { ok: false }>['reason'];

function refusalOf(reason: Reason): FormResult {
  if (isLinkRefusal(reason)) return { kind: 'refused', sentence: `${LINK_REFUSALS[reason].title}. ${LINK_REFUSALS[reason].sentence}` };
  const { field, sentence } = SET_UP_FIELD_ERRORS[reason];
  return { kind: 'invalid', fields: { [field]: sentence } };
}

function isLinkRefusal(reason: Reason): reason is LinkRefusal {
  return Object.hasOwn(LINK_REFUSALS, reason);
}

import 'server-only';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { PROOF_MINUTES } from '#lib/approvals/rules/approval.ts';
import type { Actor } from '#lib/core/roles.ts';
import { PASSWORD_LENGTH_MAX } from '#lib/people/rules/person.ts';
import { digestToken } from '#lib/people/session-token.ts';
import { provePerson } from '#lib/people/sign-in.ts';
import { DEMO_PASSWORD_HINT, PASSWORD_REQUESTS } from '#lib/people/text.ts';
import { CODE_REFUSALS, type CodeRefusal } from '#lib/two-factor/text.ts';
import type { PasswordRequest } from '../_ui/forms/form.tsx';
import type { PasswordGate } from './form-action.ts';
import { authSecret, config, db, storedNow } from './server-context.ts';
import { findSession, type Session, setSessionCookie } from './session.ts';

/** The password, and a code where the person has a second factor, within five minutes: for every action that approves. */
export const freshPassword: PasswordGate = async (actor, typed) => await requireProof(actor, typed, false);

/** The same with this form, however long ago it was given. */
export const passwordEachTime: PasswordGate = async (actor, typed) => await requireProof(actor, typed, true);

/** Whether this session has the password of the last five minutes: for a file that a link opens after its form was sent. */
export async function hasFreshPassword(): Promise<boolean> {
  const session = await findSession();
  return session !== null && isFresh(session);
}

/** What a form requests from the start, because its action needs a fresh password and this session has none; null: it has one. */
export async function findPasswordRequest(): Promise<PasswordRequest | null> {
  const session = await findSession();
  return session === null || isFresh(session) ? null : requestOf(session);
}

function requestOf({ hasFactor }: Pick<Session, 'hasFactor'>): PasswordRequest {
  const needed = PASSWORD_REQUESTS[hasFactor ? 'needed_with_code' : 'needed'];
  const sentence = config().isSimulated ? `${needed} ${DEMO_PASSWORD_HINT}` : needed;
  return { kind: 'password', asksCode: hasFactor, sentence, wrong: null };
}

function isFresh({ proved_ms }: { proved_ms: number | null }): boolean {
  return proved_ms !== null && proved_ms <= PROOF_MINUTES * 60_000;
}

const proofSchema = z.object({
  password: z
    .string()
    .max(PASSWORD_LENGTH_MAX * 2)
    .default(''),
  code: z.string().max(100).default(''),
});

async function requireProof(actor: Actor, typed: unknown, isAlways: boolean): ReturnType<PasswordGate> {
  const session = (await findSession()) ?? redirect('/sign-in');
  const { tokenDigest } = session;
  if (isFresh(session) && !isAlways) return { kind: 'proved', tokenDigest };
  const { password = '', code = '' } = proofSchema.safeParse(typed).data ?? {};
  const request = requestOf(session);
  if (password === '') return request;
  const proved = await provePerson(db(), { actor, tokenDigest, password, code, now: await storedNow(), authSecret: authSecret() });
  if (proved.ok) {
    await setSessionCookie(proved.token);
    return { kind: 'proved', tokenDigest: digestToken(proved.token) };
  }
  const { reason } = proved;
  if (isCodeRefusal(reason)) return { ...request, sentence: CODE_REFUSALS[reason], wrong: 'code' };
  return { ...request, sentence: PASSWORD_REQUESTS[reason], wrong: 'password' };
}

function isCodeRefusal(reason: string): reason is CodeRefusal {
  return Object.hasOwn(CODE_REFUSALS, reason);
}

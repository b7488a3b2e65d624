import 'server-only';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { PROOF_MINUTES } from '#lib/approvals/rules/approval.ts';
import type { Game } from '#lib/core/game.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import { CODE_REFUSALS, type CodeRefusal } from '#lib/factors/text.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { provePerson } from '#lib/people/prove-person.ts';
import { PASSWORD_LENGTH_MAX } from '#lib/people/rules/person.ts';
import { DEMO_PASSWORD_HINT, PASSWORD_REQUESTS } from '#lib/people/text.ts';
import { receiveForm } from './open-game-context.ts';
import { type Received, receivePersonForm, receiveSelfForm } from './receive-form.ts';
import { findSession } from './session.ts';
import { readAuthSecret } from './signed-in.ts';
import { config, db, storedNow } from './wiring.ts';

/** The form asks for the password, and for a code where the person has a second factor, and keeps everything else that was entered. */
export interface PasswordRequest {
  kind: 'password';
  sentence: string;
  /** The person has a second factor: a code is asked for with the password. */
  asksCode: boolean;
  /** The field that the sentence is about; null: neither is wrong. */
  wrong: 'password' | 'code' | null;
}

const proofSchema = z.object({
  password: z
    .string()
    .max(PASSWORD_LENGTH_MAX * 2)
    .default(''),
  code: z.string().max(100).default(''),
});

/**
 * First line of every action that approves something of a game: as `receiveForm`, by a person who gave their password moments ago. `canSucceed` false: the
 * action refuses it whatever the password, so it is not asked for; the statement that stores an approval asks for a fresh password itself.
 */
export async function receiveGameApproval<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
  canSucceed: (received: { context: GameContext; actor: Actor; given: Given }) => Promise<boolean> = async () => true,
): Promise<Received<Given, { game: Game; context: GameContext; actor: Actor; tokenDigest: string }> | PasswordRequest> {
  const received = await receiveForm(schema, form, capability);
  if (received.kind === 'refused') return received;
  const request = (await canSucceed(received)) ? await requestProof(received.actor, form) : null;
  const { tokenDigest } = (await findSession()) ?? redirect('/sign-in');
  return request ?? { ...received, tokenDigest };
}

/** First line of every action that approves something about people, by a person who gave their password moments ago. */
export async function receivePersonApproval<Given>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
): Promise<Received<Given, { actor: Actor }> | PasswordRequest> {
  const received = await receivePersonForm(schema, form, capability);
  return received.kind === 'refused' ? received : ((await requestProof(received.actor, form)) ?? received);
}

/**
 * First line of every action about a person's own second factor, by that person, who gave their password moments ago. `always`: it is asked for with
 * this form, however long ago it was given.
 */
export async function receiveSelfProof<Given>(
  schema: z.ZodType<Given>,
  form: FormData,
  isAsked: 'after five minutes' | 'always',
): Promise<Received<Given, { actor: Actor; tokenDigest: string }> | PasswordRequest> {
  const received = await receiveSelfForm(schema, form);
  if (received.kind === 'refused') return received;
  const request = await requestProof(received.actor, form, isAsked);
  const session = (await findSession()) ?? redirect('/sign-in');
  return request ?? { ...received, tokenDigest: session.tokenDigest };
}

/** Null when the person gave their password, and a code where they have a second factor, within five minutes, or gives both now. */
async function requestProof(
  actor: Actor,
  form: FormData,
  isAsked: 'after five minutes' | 'always' = 'after five minutes',
): Promise<PasswordRequest | null> {
  const { tokenDigest, proved_ms, hasFactor } = (await findSession()) ?? redirect('/sign-in');
  if (isAsked !== 'always' && proved_ms <= PROOF_MINUTES * 60_000) return null;
  const { password = '', code = '' } = proofSchema.safeParse(Object.fromEntries(form)).data ?? {};
  const request = { kind: 'password' as const, asksCode: hasFactor };
  if (password === '') {
    const needed = PASSWORD_REQUESTS[hasFactor ? 'needed_with_code' : 'needed'];
    return { ...request, sentence: config().isSimulated ? `${needed} ${DEMO_PASSWORD_HINT}` : needed, wrong: null };
  }
  const now = await storedNow();
  const proved = await provePerson(db(), { actor, tokenDigest, password, code, now, authSecret: readAuthSecret() });
  if (proved.ok) return null;
  const { reason } = proved;
  if (isCodeRefusal(reason)) return { ...request, sentence: CODE_REFUSALS[reason], wrong: 'code' };
  return { ...request, sentence: PASSWORD_REQUESTS[reason], wrong: 'password' };
}

function isCodeRefusal(reason: string): reason is CodeRefusal {
  return Object.hasOwn(CODE_REFUSALS, reason);
}

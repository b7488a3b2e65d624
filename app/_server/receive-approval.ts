import 'server-only';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { PROOF_MINUTES } from '#lib/approvals/rules/approval.ts';
import type { Game } from '#lib/core/game.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { provePerson } from '#lib/people/prove-person.ts';
import { PASSWORD_LENGTH_MAX } from '#lib/people/rules/person.ts';
import { PASSWORD_REQUESTS } from '#lib/people/text.ts';
import { receiveForm } from './open-game-context.ts';
import { type Received, receivePersonForm } from './receive-form.ts';
import { findSession } from './session.ts';
import { db } from './wiring.ts';

/** The form asks for the password and keeps everything else that was entered. */
export interface PasswordRequest {
  kind: 'password';
  sentence: string;
}

const passwordSchema = z.object({
  password: z
    .string()
    .max(PASSWORD_LENGTH_MAX * 2)
    .optional(),
});

/** First line of every action that approves something of a game: as `receiveForm`, by a person who gave their password moments ago. */
export async function receiveGameApproval<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
): Promise<Received<Given, { game: Game; context: GameContext; actor: Actor }> | PasswordRequest> {
  const received = await receiveForm(schema, form, capability);
  return received.kind === 'refused' ? received : ((await requestPassword(received.actor, form)) ?? received);
}

/** First line of every action that approves something about people, by a person who gave their password moments ago. */
export async function receivePersonApproval<Given>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
): Promise<Received<Given, { actor: Actor }> | PasswordRequest> {
  const received = await receivePersonForm(schema, form, capability);
  return received.kind === 'refused' ? received : ((await requestPassword(received.actor, form)) ?? received);
}

/** Null when the person gave their password within five minutes, or gives it now. */
async function requestPassword(actor: Actor, form: FormData): Promise<PasswordRequest | null> {
  const session = (await findSession()) ?? redirect('/sign-in');
  if (session.proved_ms <= PROOF_MINUTES * 60_000) return null;
  const { password } = passwordSchema.safeParse(Object.fromEntries(form)).data ?? {};
  if (password === undefined || password === '') return { kind: 'password', sentence: PASSWORD_REQUESTS.needed };
  const proved = await provePerson(db(), { actor, tokenDigest: session.tokenDigest, password });
  return proved.ok ? null : { kind: 'password', sentence: PASSWORD_REQUESTS[proved.reason] };
}

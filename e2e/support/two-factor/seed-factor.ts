import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Actor, Role } from '#lib/core/roles.ts';
import { confirmSetUp, startSetUp } from '#lib/two-factor/manage-factors.ts';
import { stepOf } from '#lib/two-factor/rules/code.ts';
import { computeCode, makeSecret, sealSecret } from '#lib/two-factor/totp.ts';
import { seedPerson } from '../people/seed-people.ts';

/** The secret under which tests seal. */
export const AUTH_SECRET = 'a secret of at least thirty-two characters';

/** Puts a second factor that is on straight into a test database; no code of it was used in living memory. Returns its secret. */
export async function seedFactor(db: Db, personId: string): Promise<Buffer> {
  const secret = makeSecret();
  const sealed_secret = sealSecret(secret, personId, AUTH_SECRET);
  await db
    .insertInto('second_factor')
    .values({ person_id: personId, sealed_secret, confirmed_at: '2026-01-01T00:00:00Z', last_step: 0 })
    .execute();
  return secret;
}

/** The code that an app with this secret shows at an instant, or so many steps later. */
export function codeAt(secret: Uint8Array, now: string, stepsLater = 0): string {
  return computeCode(secret, stepOf(now) + stepsLater);
}

/** Six digits that an app with this secret shows neither at an instant nor in the steps around it. */
export function wrongCodeAt(secret: Uint8Array, now: string): string {
  const shown = [-1, 0, 1].map((steps) => codeAt(secret, now, steps));
  return ['000000', '000001', '000002', '000003'].find((code) => !shown.includes(code)) ?? '000004';
}

/** A person with these roles as an actor. */
export async function seedActor(db: Db, email: string, roles: Role[]): Promise<Actor> {
  return { id: await seedPerson(db, email, roles), email, roles };
}

/** Signs a person in under a token's digest. */
export async function seedSessionOf(db: Db, { id }: Actor, tokenDigest: string): Promise<void> {
  await sql`insert into person_session (person_id, token_digest, expires_at)
    values (${id}, ${tokenDigest}, clock_now() + interval '1 hour')`.execute(db);
}

/** Removes every second factor, session and sign-in attempt. */
export async function clearFactors(db: Db): Promise<void> {
  for (const table of [
    'backup_code',
    'second_factor',
    'second_factor_role',
    'started_sign_in',
    'person_session',
    'sign_in_attempt',
  ] as const)
    await db.deleteFrom(table).execute();
}

/** Sets up a second factor as its pages do, by the code of the step before. Returns the codes of the app, and the backup codes. */
export async function setUpFactor(
  db: Db,
  actor: Actor,
  now: string,
): Promise<{ code: (stepsLater: number) => string; backupCodes: string[] }> {
  const started = await startSetUp(db, actor, AUTH_SECRET);
  if (!started.ok) throw new Error(started.reason);
  const secret = decodeBase32(started.secret.replaceAll(' ', ''));
  const code = codeAt(secret, now, -1);
  const confirmed = await confirmSetUp(db, { actor, tokenDigest: 'this session', code, now, authSecret: AUTH_SECRET });
  if (!confirmed.ok) throw new Error(confirmed.reason);
  return { code: (stepsLater) => codeAt(secret, now, stepsLater), backupCodes: confirmed.backupCodes };
}

/** Base32 by RFC 4648, as an app reads what a person typed. */
export function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

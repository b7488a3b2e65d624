'use server';

import { encode } from 'uqr';
import { z } from 'zod';
import { setShortcuts } from '#lib/people/manage-people.ts';
import { confirmSetUp, renewBackupCodes, startSetUp, turnOffFactor } from '#lib/two-factor/manage-factors.ts';
import { CODE_REFUSALS, type CodeRefusal, FACTOR_REFUSALS, type FactorRefusal, FIRST_CODE_MALFORMED } from '#lib/two-factor/text.ts';
import { formAction } from '../_server/form-action.ts';
import { freshPassword, passwordEachTime } from '../_server/fresh-password.ts';
import { authSecret, db, storedNow } from '../_server/server-context.ts';
import type { FormResult } from '../_ui/forms/form.tsx';

/** The secret to put into an app, shown once. */
export type StartResult = FormResult<
  string,
  { kind: 'secret'; secret: string; uri: string /** The link as a QR code: rows of dark modules, quiet zone included. */; qr: boolean[][] }
>;

/** The backup codes, shown once. */
export type CodesResult = FormResult<string, { kind: 'codes'; codes: string[] }>;

const nothing = z.object({});
const codeSchema = z.object({ code: z.string().max(100) });

/** Makes the secret of the person's app. Nothing is on yet. */
export const startSetUpAction = formAction(
  { schema: nothing, who: 'self', password: freshPassword, refreshes: 'never' },
  async ({ actor }): Promise<StartResult> => {
    const started = await startSetUp(db(), actor, authSecret());
    if (!started.ok) return refusalOf(started.reason);
    const { secret, uri } = started;
    return { kind: 'secret', secret, uri, qr: encode(uri, { ecc: 'M', border: 4 }).data };
  },
);

/** Turns two-factor authentication on by the first code. The page isn't drawn again: the backup codes are in this result alone. */
export const confirmSetUpAction = formAction(
  { schema: codeSchema, who: 'self', refreshes: 'never' },
  async ({ form, actor, tokenDigest }): Promise<CodesResult> => {
    const confirmed = await confirmSetUp(db(), { actor, tokenDigest, code: form.code, now: await storedNow(), authSecret: authSecret() });
    if (confirmed.ok) return { kind: 'codes', codes: confirmed.backupCodes };
    if (confirmed.reason === 'malformed_code') return { kind: 'invalid', fields: { code: FIRST_CODE_MALFORMED } };
    return isCodeRefusal(confirmed.reason)
      ? { kind: 'invalid', fields: { code: CODE_REFUSALS[confirmed.reason] } }
      : refusalOf(confirmed.reason);
  },
);

/** Makes new backup codes by password and code. */
export const renewBackupCodesAction = formAction(
  { schema: nothing, who: 'self', password: passwordEachTime, refreshes: 'never' },
  async ({ actor }): Promise<CodesResult> => {
    const renewed = await renewBackupCodes(db(), actor);
    return renewed.ok ? { kind: 'codes', codes: renewed.backupCodes } : refusalOf(renewed.reason);
  },
);

/** Turns two-factor authentication off by password and code. */
export const turnOffAction = formAction(
  { schema: nothing, who: 'self', password: passwordEachTime, refreshes: 'done' },
  async ({ actor }): Promise<FormResult> => {
    const done = await turnOffFactor(db(), actor);
    if (!done.ok) return refusalOf(done.reason);
    return { kind: 'done', sentence: 'Two-factor authentication is off. Signing in needs your password alone.' };
  },
);

/** Switches single keys on or off for the person. */
export const setShortcutsAction = formAction(
  { schema: z.object({ hasShortcuts: z.enum(['yes', 'no']) }), who: 'self' },
  async ({ form, actor }): Promise<FormResult> => {
    const hasShortcuts = form.hasShortcuts === 'yes';
    await setShortcuts(db(), actor.id, hasShortcuts);
    return { kind: 'done', sentence: hasShortcuts ? 'Single keys are on.' : 'Single keys are off.' };
  },
);

function refusalOf(reason: FactorRefusal): { kind: 'refused'; sentence: string } {
  return { kind: 'refused', sentence: FACTOR_REFUSALS[reason] };
}

function isCodeRefusal(reason: FactorRefusal | CodeRefusal): reason is CodeRefusal {
  return Object.hasOwn(CODE_REFUSALS, reason);
}

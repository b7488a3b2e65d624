'use server';

import { revalidatePath } from 'next/cache';
import { encode } from 'uqr';
import { z } from 'zod';
import { renewBackupCodes, turnOffFactor } from '#lib/factors/manage-factors.ts';
import { confirmSetUp, startSetUp } from '#lib/factors/set-up-factor.ts';
import { CODE_REFUSALS, type CodeRefusal, FACTOR_REFUSALS, type FactorRefusal, FIRST_CODE_MALFORMED } from '#lib/factors/text.ts';
import { receiveSelfProof } from '../_server/receive-approval.ts';
import { INCOMPLETE_FORM, receiveSelfForm } from '../_server/receive-form.ts';
import { findSession } from '../_server/session.ts';
import { readAuthSecret } from '../_server/signed-in.ts';
import { db, storedNow } from '../_server/wiring.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';

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
export async function startSetUpAction(_: StartResult, form: FormData): Promise<StartResult> {
  const received = await receiveSelfProof(nothing, form, 'after five minutes');
  if (received.kind !== 'received') return received;
  const started = await startSetUp(db(), received.actor, readAuthSecret());
  if (!started.ok) return refusalOf(started.reason);
  const { secret, uri } = started;
  return { kind: 'secret', secret, uri, qr: encode(uri, { ecc: 'M', border: 4 }).data };
}

/** Turns two-factor authentication on by the first code. The page isn't drawn again: the backup codes are in this result alone. */
export async function confirmSetUpAction(_: CodesResult, form: FormData): Promise<CodesResult> {
  const received = await receiveSelfForm(codeSchema, form);
  if (received.kind === 'refused') return received;
  const session = await findSession();
  if (session === null) return INCOMPLETE_FORM;
  const { actor, given } = received;
  const { tokenDigest } = session;
  const confirmed = await confirmSetUp(db(), {
    actor,
    tokenDigest,
    code: given.code,
    now: await storedNow(),
    authSecret: readAuthSecret(),
  });
  if (confirmed.ok) return { kind: 'codes', codes: confirmed.backupCodes };
  if (confirmed.reason === 'malformed_code') return { kind: 'invalid', fields: { code: FIRST_CODE_MALFORMED } };
  return isCodeRefusal(confirmed.reason)
    ? { kind: 'invalid', fields: { code: CODE_REFUSALS[confirmed.reason] } }
    : refusalOf(confirmed.reason);
}

/** Makes new backup codes by password and code. */
export async function renewBackupCodesAction(_: CodesResult, form: FormData): Promise<CodesResult> {
  const received = await receiveSelfProof(nothing, form, 'always');
  if (received.kind !== 'received') return received;
  const renewed = await renewBackupCodes(db(), received.actor);
  return renewed.ok ? { kind: 'codes', codes: renewed.backupCodes } : refusalOf(renewed.reason);
}

/** Turns two-factor authentication off by password and code. */
export async function turnOffAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveSelfProof(nothing, form, 'always');
  if (received.kind !== 'received') return received;
  const done = await turnOffFactor(db(), received.actor);
  if (!done.ok) return refusalOf(done.reason);
  revalidatePath('/settings/account');
  return { kind: 'done', sentence: 'Two-factor authentication is off. Signing in needs your password alone.' };
}

function refusalOf(reason: FactorRefusal): { kind: 'refused'; sentence: string } {
  return { kind: 'refused', sentence: FACTOR_REFUSALS[reason] };
}

function isCodeRefusal(reason: FactorRefusal | CodeRefusal): reason is CodeRefusal {
  return Object.hasOwn(CODE_REFUSALS, reason);
}

'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { parseInstant } from '#lib/core/instant.ts';
import { markRead, setReaches } from '#lib/notices/announce.ts';
import { NOTICE_KINDS, REACHES } from '#lib/notices/rules/notice-kinds.ts';
import { idShape, receivePersonForm } from '../_server/receive-form.ts';
import { db } from '../_server/wiring.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';

const oneSchema = z.object({ gameId: idShape, noticeId: idShape });
const allSchema = z.object({ until: z.string().refine((text) => parseInstant(text) !== null) });
const reachesSchema = z.object(Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, z.enum(REACHES).optional()])));

/** Marks one notice as read. */
export async function markReadAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonForm(oneSchema, form, 'notices.read');
  if (received.kind === 'refused') return received;
  await markRead(db(), received.actor.id, received.given);
  revalidatePath('/', 'layout');
  return { kind: 'done', sentence: 'Marked as read.' };
}

/** Marks all notices that the page showed as read. */
export async function markAllReadAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonForm(allSchema, form, 'notices.read');
  if (received.kind === 'refused') return received;
  await markRead(db(), received.actor.id, received.given);
  revalidatePath('/', 'layout');
  return { kind: 'done', sentence: 'Marked as read.' };
}

/** Stores how far each kind of notice reaches the person. */
export async function setReachesAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receivePersonForm(reachesSchema, form, 'notices.read');
  if (received.kind === 'refused') return received;
  await setReaches(db(), received.actor.id, received.given);
  revalidatePath('/notices');
  return { kind: 'done', sentence: 'Saved. It applies to notices from now on.' };
}

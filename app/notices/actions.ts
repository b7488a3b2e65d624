'use server';

import { z } from 'zod';
import { parseInstant } from '#lib/core/instant.ts';
import { markRead, setReaches } from '#lib/notices/announce.ts';
import { LIMIT_NOTICE_KINDS, MONTH_NOTICE_KINDS, PERSON_NOTICE_KINDS, REACHES, RIGHTS_REACHES } from '#lib/notices/rules/notice-kinds.ts';
import { formAction, idShape, ordinalShape } from '../_server/form-action.ts';
import { db } from '../_server/server-context.ts';
import type { FormResult } from '../_ui/forms/form.tsx';

const oneSchema = z.object({ gameId: ordinalShape, noticeId: idShape });
const allSchema = z.object({ until: z.string().refine((text) => parseInstant(text) !== null) });
const reachesSchema = z
  .object(Object.fromEntries(MONTH_NOTICE_KINDS.map((kind) => [kind, z.enum(REACHES).optional()])))
  .and(
    z.object(Object.fromEntries([...PERSON_NOTICE_KINDS, ...LIMIT_NOTICE_KINDS].map((kind) => [kind, z.enum(RIGHTS_REACHES).optional()]))),
  );

/** Marks one notice as read. */
export const markReadAction = formAction({ schema: oneSchema, who: 'notices.read' }, async ({ form, actor }): Promise<FormResult> => {
  await markRead(db(), actor.id, form);
  return { kind: 'done', sentence: 'Marked as read.' };
});

/** Marks all notices that the page showed as read. */
export const markAllReadAction = formAction({ schema: allSchema, who: 'notices.read' }, async ({ form, actor }): Promise<FormResult> => {
  await markRead(db(), actor.id, form);
  return { kind: 'done', sentence: 'Marked as read.' };
});

/** Stores how far each kind of notice reaches the person. */
export const setReachesAction = formAction({ schema: reachesSchema, who: 'notices.read' }, async ({ form, actor }): Promise<FormResult> => {
  await setReaches(db(), actor, form);
  return { kind: 'done', sentence: 'Saved. It applies to notices from now on.' };
});

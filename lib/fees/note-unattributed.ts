import type { Db } from '#db/kit/open.ts';
import type { Actor } from '#lib/core/roles.ts';
import { OUTCOME_LENGTH_MAX, parseTypedText } from '#lib/core/typed-input.ts';
import { changeUnattributed } from './writes/record-unattributed.ts';

/** Who looks into a renewal without attribution: the person who takes it, nobody, or the one who has it already. */
export const ASSIGNEES = ['same', 'me', 'nobody'] as const;
type Assignee = (typeof ASSIGNEES)[number];

/** Records what was found out about a renewal without attribution, and who looks into it. It stays with the month, whatever is pulled later. */
export async function noteUnattributed(
  db: Db,
  actor: Actor,
  { gameId, itemId, note, assignee }: { gameId: number; itemId: number; note: string; assignee: Assignee },
): Promise<{ ok: true } | { ok: false; reason: 'too_long' | 'gone' }> {
  const typed = parseTypedText(note, OUTCOME_LENGTH_MAX);
  if (typed === 'too_long') return { ok: false, reason: 'too_long' };
  const isChanged = await changeUnattributed(db, {
    gameId,
    itemId,
    by: actor,
    note: typed.text,
    ...(assignee === 'same' ? {} : { assignedTo: assignee === 'me' ? actor.id : null }),
  });
  return isChanged ? { ok: true } : { ok: false, reason: 'gone' };
}

import type { Db } from '#db/kit/open.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import { findApproverRefusal } from './reads.ts';

/** What a second person wanted: `what` as the end of "was refused …". */
interface Attempt {
  actor: Actor;
  /** Who acted first; null: nobody is known, so the answer stays as it is. */
  authorId: string | null;
  what: string;
  subject: string;
}

/** The refused answer to a second person, with the reason why their account or the first person's doesn't count, if that is why. The audit has it. */
export async function explainRefusal<Answer extends { ok: true } | { ok: false; reason: string }>(
  { db, gameId }: { db: Db; gameId: number },
  { actor, authorId, what, subject }: Attempt,
  answer: Answer,
): Promise<Answer | { ok: false; reason: 'not_allowed' | ApproverRefusal }> {
  if (answer.ok || authorId === null) return answer;
  const isPerson = answer.reason === 'not_allowed';
  const reason = isPerson ? await findApproverRefusal(db, actor.id, { right: 'payouts.approve', preparerId: authorId }) : null;
  return await auditRefusal(db, { actor, gameId, what, subject }, reason === null ? answer : { ok: false, reason });
}

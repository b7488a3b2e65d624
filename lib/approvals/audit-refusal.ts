import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { ApprovalRefusal } from './rules/approval.ts';

/** Reasons that are about the person, and the attempt to confirm something else than the page showed. */
const RECORDED_REASONS: readonly string[] = [
  'not_allowed',
  'own_request',
  'same_person',
  'editor',
  'own_doubt',
  'not_as_shown',
  'unconfirmed',
  'too_new',
  'preparer_disabled',
  'preparer_unconfirmed',
  'preparer_too_new',
] satisfies (Exclude<ApprovalRefusal, 'changed'> | 'same_person' | 'editor' | 'own_doubt' | 'not_as_shown')[];

interface Attempt {
  actor: { email: string };
  /** Left out when it is not about one game. */
  gameId?: number;
  /** What they wanted, as the end of "was refused …", such as "approval of roles" or "to prepare payouts". */
  what: string;
  subject: string;
}

/** Records that a person was refused an approval for who they are or for what they were shown, and returns the answer as it is. */
export async function auditRefusal<Answer extends { ok: true } | { ok: false; reason: string }>(
  db: Db,
  { actor, what, ...about }: Attempt,
  answer: Answer,
): Promise<Answer> {
  if (!answer.ok && RECORDED_REASONS.includes(answer.reason))
    await recordAudit(db, { ...about, actor: actor.email, act: `was refused ${what}`, detail: { reason: answer.reason } });
  return answer;
}

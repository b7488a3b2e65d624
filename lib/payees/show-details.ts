import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import { findSealed } from './reads/payee-details.ts';
import type { TypedDetails } from './rules/details.ts';
import { openEntries, type PayeeKey } from './seal.ts';

export type ShowResult =
  | { ok: true; entries: TypedDetails }
  | { ok: false; reason: 'no_key' | 'gone' | 'unreadable' | 'not_allowed' | AccountRefusal };

/** Opens payment details for a person who may see them and whose account counts as one of two people. The audit has each look, before anything is shown. */
export async function showDetails(
  { db, gameId }: { db: Db; gameId: number },
  actor: Actor,
  key: PayeeKey | null,
  { recipientId, detailNo }: { recipientId: number; detailNo: number },
): Promise<ShowResult> {
  const refusal = await findAccountRefusal(db, actor.id, 'payees.show');
  if (refusal !== null) {
    const attempt = { actor, gameId, what: 'to view payment details', subject: `recipient ${recipientId}` };
    return await auditRefusal(db, attempt, { ok: false, reason: refusal });
  }
  if (key === null) return { ok: false, reason: 'no_key' };
  const stored = await findSealed(db, gameId, recipientId, detailNo);
  if (stored === null) return { ok: false, reason: 'gone' };
  const entries = openEntries(stored.sealed, stored, key);
  const detail = { detail_no: detailNo, ...(entries === null && { unreadable: true }) };
  await recordAudit(db, { gameId, actor: actor.email, act: 'viewed payment details', subject: `recipient ${recipientId}`, detail });
  return entries === null ? { ok: false, reason: 'unreadable' } : { ok: true, entries };
}

import type { Db } from '#db/kit/open.ts';
import { digestOf } from '../core/canonical-digest.ts';
import { toMicroseconds } from '../core/instant.ts';
import type { AuditRow } from './reads/audit-links.ts';
import { linkAudit } from './writes.ts';

/** Rows chained in one transaction. */
const BATCH = 1_000;

/** Chains the rows of the audit that have no link yet, in the order they are found committed. Two workers take turns. Returns how many it chained. */
export async function chainAudit(db: Db, signal?: AbortSignal): Promise<number> {
  let chained = 0;
  while (!signal?.aborted) {
    const count = await linkAudit(db, BATCH, digestAuditLink);
    chained += count;
    if (count < BATCH) break;
  }
  return chained;
}

/** The digest of a link of the audit: its position, the digest of the link before (null: it is the first), and every field of the row. */
export function digestAuditLink(position: number, previous: Buffer | null, row: AuditRow): Buffer {
  const { audit_id, at, actor, game_id, act, subject, detail } = row;
  return digestOf({
    position,
    previous: previous?.toString('hex') ?? null,
    audit_id,
    at: toMicroseconds(at).toString(),
    actor,
    game_id,
    act,
    subject,
    detail,
  });
}

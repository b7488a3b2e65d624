import { digestOf } from '../core/canonical-digest.ts';
import { toMicroseconds } from '../core/instant.ts';
import type { AuditRow } from './reads/audit-links.ts';

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

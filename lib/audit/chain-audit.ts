import type { Db } from '#db/kit/open.ts';
import { overFrozenView } from '#lib/evidence/reads/verification.ts';
import type { ChainHead } from '#lib/evidence/rules/evidence.ts';
import { Findings, type Violation } from '#lib/evidence/rules/findings.ts';
import { digestOf } from '../core/canonical-digest.ts';
import { toMicroseconds } from '../core/instant.ts';
import { countUnlinked, listAuditLinks, type StoredAuditRow } from './reads.ts';
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
export function digestAuditLink(position: number, previous: Buffer | null, row: StoredAuditRow): Buffer {
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

export interface AuditVerification {
  linked: number;
  /** Rows without a link: recorded since the worker last ran. */
  unlinked: number;
  violations: Violation[];
}

/** Links held in memory at once. */
const PAGE = 2_000;

/** Walks the chain of the audit from its first link: no gap, no row removed or changed, and the link of an exported head where it was. */
export async function verifyAudit(db: Db, head: ChainHead | null = null): Promise<AuditVerification> {
  return overFrozenView(db, async (view) => {
    const findings = new Findings();
    let [linked, last]: [number, { position: number; digest: Buffer | null }] = [0, { position: 0, digest: null }];
    let exported: string | null = null;
    for (let page = await listAuditLinks(view, 0, PAGE); page.length > 0; page = await listAuditLinks(view, last.position, PAGE)) {
      for (const { position, auditId, digest, row } of page) {
        linked += 1;
        const about = findings.about(`audit row ${auditId}`);
        about.same('audit_has_no_gap', String(last.position + 1), String(position));
        about.same('audit_digest', digest.toString('hex'), digestOrGone(position, last.digest, row));
        if (position === head?.position) exported = digest.toString('hex');
        last = { position, digest };
      }
    }
    if (head !== null) findings.about(`link ${head.position} of the audit`).same('exported_head', head.digest, exported ?? 'no such link');
    const { unlinked, late } = await countUnlinked(view);
    findings
      .about('audit')
      .must('audit_is_chained', late === 0, 'every row of more than an hour before the newest link', `${late} rows without a link`);
    return { linked, unlinked, violations: findings.violations };
  });
}

function digestOrGone(position: number, previous: Buffer | null, row: StoredAuditRow | null): string {
  return row === null ? 'no such row' : digestAuditLink(position, previous, row).toString('hex');
}

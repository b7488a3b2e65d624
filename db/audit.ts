import type { Db } from './open.ts';
import type { PeopleTransaction } from './people.ts';

export interface AuditEntry {
  /** E-mail of the person, or "command line", "schedule", "set-up link". */
  actor: string;
  /** A short verb phrase. */
  act: string;
  subject: string;
  /** What changed; never a secret. */
  detail?: Record<string, unknown>;
}

/** Writes down who did what, in the transaction that does it. */
export async function recordAudit(db: Db | PeopleTransaction, { actor, act, subject, detail = {} }: AuditEntry): Promise<void> {
  await db.insertInto('audit').values({ actor, act, subject, detail: JSON.stringify(detail) }).execute();
}

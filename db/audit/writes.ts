import type { Db } from '#db/kit/open.ts';

export interface AuditEntry {
  /** Email of the person, or "command line", "schedule", "set-up link". */
  actor: string;
  /** Left out when it is not about one game. */
  gameId?: number;
  /** A short verb phrase in the past tense. */
  act: string;
  subject: string;
  /** What changed; never a secret. */
  detail?: Record<string, unknown>;
}

/** Records who did what. Inside a transaction the record commits or rolls back with the change. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      actor: entry.actor,
      game_id: entry.gameId ?? null,
      act: entry.act,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}

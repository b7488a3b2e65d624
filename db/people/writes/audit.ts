import type { Db } from '#db/kit/open.ts';
import type { PeopleTransaction } from './people.ts';

export interface AuditEntry {
  /** E-mail of the person, or "command line", "schedule", "set-up link". */
  actor: string;
  /** Left out when it is not about one game. */
  gameId?: number;
  /** A short verb phrase in the past tense. */
  act: string;
  subject: string;
  /** What changed; never a secret. */
  detail?: Record<string, unknown>;
}

/** Writes down who did what; inside a transaction it stands or falls with what was done. */
export async function recordAudit(db: Db | PeopleTransaction, entry: AuditEntry): Promise<void> {
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

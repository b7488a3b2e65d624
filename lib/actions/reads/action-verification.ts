import { type Selectable, sql } from 'kysely';
import { isErased } from '#db/kit/erased.ts';
import type { Db } from '#db/kit/open.ts';
import type { DeskActionAttemptTable, DeskActionDecisionTable, DeskActionTable } from '#db/types.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';

/** What the audit has of an action, oldest first. */
export interface ActionAudit {
  act: string;
  /** ID of the person; null: the worker, or nobody. */
  personId: string | null;
  detail: Record<string, unknown>;
}

/** An action with everything that a verification compares. */
export type ActionToVerify = Selectable<DeskActionTable> & {
  attempts: Selectable<DeskActionAttemptTable>[];
  decisions: Selectable<DeskActionDecisionTable>[];
  audit: ActionAudit[];
  /** The words of people were removed with their player, so the content can't be computed again. */
  is_erased: boolean;
};

/** Actions in memory at once. */
const PAGE = 100;

/** Every desk action of a game, oldest first. */
export async function* streamActionsToVerify(db: Db, gameId: number): AsyncGenerator<ActionToVerify> {
  for (let after = 0; ; ) {
    const { rows } = await sql<
      Selectable<DeskActionTable> & { is_erased: boolean }
    >`select desk_action.*, reason_text is null and ticket is null and ${isErased(gameId, sql.ref('player_id'))} as is_erased from desk_action
      where game_id = ${gameId} and action_id > ${after} order by action_id limit ${PAGE}`.execute(db);
    for (const row of rows) {
      const id = row.action_id;
      const { rows: attempts } = await sql<Selectable<DeskActionAttemptTable>>`select * from desk_action_attempt
        where game_id = ${gameId} and action_id = ${id} order by attempt_no`.execute(db);
      const { rows: decisions } = await sql<Selectable<DeskActionDecisionTable>>`select * from desk_action_decision
        where game_id = ${gameId} and action_id = ${id} order by decision_no`.execute(db);
      const { rows: audit } = await sql<ActionAudit>`select audit.act, person.id as "personId", audit.detail
        from audit left join person on person.email = audit.actor
        where audit.game_id = ${gameId} and audit.subject = ${`desk action ${id}`} order by audit.audit_id`.execute(db);
      yield { ...row, attempts, decisions, audit };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.action_id;
  }
}

/** Actions of the audit that aren't stored. */
export async function listMissingActions(db: Db, gameId: number): Promise<Violation[]> {
  const { rows: audited } = await sql<{ id: number }>`select distinct split_part(subject, ' ', 3)::bigint as id from audit
    where game_id = ${gameId} and subject ~ '^desk action \\d+$' and act not like 'was refused %'`.execute(db);
  const { rows: stored } = await sql<{ id: number }>`select action_id as id from desk_action where game_id = ${gameId}`.execute(db);
  const known = new Set(stored.map(({ id }) => id));
  return audited
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => ({
      name: 'action_exists',
      subject: `desk action ${id}`,
      expected: 'the desk action of the audit',
      actual: 'no such action',
    }));
}

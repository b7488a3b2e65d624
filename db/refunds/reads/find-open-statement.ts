import type { Db } from '#db/kit/open.ts';
import { knownWord } from '#lib/core/parse-enum.ts';
import { OUTCOME_DECISIONS, type OutcomeDecision } from '#lib/refunds/rules/state.ts';

/** What the first of two people says became of a refund, waiting for the second. */
export interface OpenStatement {
  decision_no: number;
  decision: OutcomeDecision;
  text: string;
  by: { id: string; name: string };
  at: string;
}

/** The statement about a refund that waits for a second person; null when none does. */
export async function findOpenStatement(db: Db, gameId: number, refundId: number): Promise<OpenStatement | null> {
  const row = await db
    .selectFrom('refund_decision')
    .innerJoin('person', 'person.id', 'refund_decision.proposed_by')
    .where('refund_decision.game_id', '=', gameId)
    .where('refund_decision.refund_id', '=', refundId)
    .where('confirmed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .select(['decision_no', 'decision', 'proposed_text', 'proposed_by', 'proposed_at', 'person.name'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    decision_no: row.decision_no,
    decision: knownWord(OUTCOME_DECISIONS, row.decision),
    text: row.proposed_text,
    by: { id: row.proposed_by, name: row.name },
    at: row.proposed_at,
  };
}

import type pg from 'pg';
import type { RefundChange, RefundJob } from '#lib/refunds/rules/ports.ts';

const COLUMNS = [
  'state',
  'unanswered_count',
  'attention_reason',
  'proposal',
  'outcome_source',
  'transaction_id',
  'total_refunded_amount_usd',
  'last_error_code',
  'last_error_id',
] as const;

/**
 * Writes a step of a refund, on the version it was decided on; false when the refund moved on meanwhile. What follows from its state (since
 * when, ended when, who sends it, the next version) the table keeps by itself. Joins the transaction of the client.
 */
export async function applyChange(
  client: pg.Pool | pg.ClientBase,
  job: Pick<RefundJob, 'gameId' | 'refundId' | 'version'>,
  change: RefundChange,
): Promise<boolean> {
  const values: unknown[] = [job.gameId, job.refundId, job.version];
  const sets: string[] = ['game_id = game_id'];
  const set = (column: string, value: unknown, expression = '?'): void => {
    values.push(value);
    sets.push(`${column} = ${expression.replace('?', `$${values.length}`)}`);
  };
  for (const column of COLUMNS) if (change[column] !== undefined) set(column, change[column]);
  if (change.lookAt !== undefined)
    set('next_look_at', change.lookAt === null ? null : change.lookAt / 1000, 'to_timestamp(?::double precision)');
  if (change.receipt !== undefined) set('receipt', JSON.stringify(change.receipt));
  if (change.isApprovalVoid) {
    sets.push('approval = null', 'approved_by = null', 'approved_at = null', 'approved_digest = null', 'extra_call_count = 0');
  }
  if (change.renewed !== undefined) {
    set('facts', JSON.stringify(change.renewed.facts));
    set('estimate', JSON.stringify(change.renewed.estimate));
    set('baseline_digest', change.renewed.baseline_digest);
    set('content_digest', change.renewed.content_digest);
  }
  const { rowCount } = await client.query(
    `update refund set ${sets.join(', ')} where game_id = $1 and refund_id = $2 and version = $3`,
    values,
  );
  return rowCount === 1;
}

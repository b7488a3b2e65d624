import type pg from 'pg';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { ENDED_STATES } from '#lib/refunds/rules/state.ts';
import type { RefundEstimate } from '#lib/refunds/rules/stored.ts';
import type { TestEnvironment } from '../test-environment.ts';

/** A row of `refund` as the checks need it. */
export interface SettledRefund {
  refund_id: number;
  client_request_id: string;
  state: string;
  request_digest: Buffer;
  attempt_count: number;
  unanswered_count: number;
  amount_usd: string;
  period_id: number;
  attention_reason: string | null;
  proposal: string | null;
  outcome_source: string | null;
  last_error_code: string | null;
  transaction_id: string | null;
  receipt: Record<string, unknown> | null;
  next_look_at: string | null;
  content_digest: Buffer;
  approval: string | null;
  approved_by: string | null;
  facts: { period: { refunded_to_date_usd: string } };
  estimate: RefundEstimate;
}

/** What Invo saw and did. */
export interface SeenAtInvo {
  refunds: { client_request_id: string; executed: number; amount_usd: string; period_id: number }[];
  calls: { client_request_id: string | null; body_sha256: string | null; outcome: string; status: number; fault: string | null }[];
}

export async function seenAtInvo(testEnv: Pick<TestEnvironment, 'control'>): Promise<SeenAtInvo> {
  return (await testEnv.control('GET', 'refunds')) as unknown as SeenAtInvo;
}

export async function listSettledRefunds(pool: pg.Pool, gameId: number): Promise<SettledRefund[]> {
  const { rows } = await pool.query<SettledRefund>('select * from refund where game_id = $1 order by refund_id', [gameId]);
  return rows;
}

/**
 * What must hold for the refunds of a game at any moment: executed once or not at all; landed only when executed, and ended otherwise only
 * when not; one key; the same bytes in the row, in every attempt and in every call; no call without a committed attempt; every step in the
 * audit. `isAtRest`: every refund has ended or waits for a person.
 */
export async function findViolations(
  testEnv: Pick<TestEnvironment, 'control' | 'pool'>,
  gameId: number,
  { isAtRest }: { isAtRest: boolean },
): Promise<string[]> {
  const [refunds, seen] = [await listSettledRefunds(testEnv.pool, gameId), await seenAtInvo(testEnv)];
  const found: string[] = [];
  for (const refund of refunds) found.push(...(await violationsOf(testEnv.pool, gameId, refund, seen, isAtRest)));
  const keys = new Set(refunds.map((refund) => refund.client_request_id));
  for (const call of seen.calls)
    if (call.client_request_id === null || !keys.has(call.client_request_id)) found.push('a call under a key that is not stored');
  for (const made of seen.refunds) if (!keys.has(made.client_request_id)) found.push('a refund under a key that is not stored');
  return found;
}

async function violationsOf(pool: pg.Pool, gameId: number, refund: SettledRefund, seen: SeenAtInvo, isAtRest: boolean): Promise<string[]> {
  const { refund_id, client_request_id, state, amount_usd, period_id } = refund;
  const { rows: attempts } = await pool.query<{ request_digest: Buffer; class: string | null }>(
    'select request_digest, class from refund_attempt where game_id = $1 and refund_id = $2 order by attempt_no',
    [gameId, refund_id],
  );
  const made = seen.refunds.filter((each) => each.client_request_id === client_request_id);
  const calls = seen.calls.filter((each) => each.client_request_id === client_request_id);
  const executed = made.reduce((sum, each) => sum + each.executed, 0);
  const digests = new Set([refund, ...attempts].map((each) => each.request_digest.toString('hex')));
  for (const call of calls) digests.add(call.body_sha256 ?? 'no body');
  const isEnded = ENDED_STATES.some((each) => each === state);
  const rules: [string, boolean][] = [
    [`executed ${executed} times`, executed > 1],
    ['landed and not executed', state === 'landed' && executed !== 1],
    ['ended without landing and executed', isEnded && state !== 'landed' && executed > 0],
    ['waits for approval and was executed', state === 'awaiting_approval' && executed > 0],
    ['executed otherwise than requested', made.some((each) => each.amount_usd !== amount_usd || each.period_id !== period_id)],
    ['other bytes', digests.size > 1],
    [`${calls.length} calls on ${attempts.length} committed attempts`, calls.length > attempts.length],
    ['attempts are not counted', attempts.length !== refund.attempt_count],
    ['an attempt without a class', isEnded && attempts.some((each) => each.class === null)],
    ['does not rest', isAtRest && !isEnded && state !== 'attention' && state !== 'awaiting_approval'],
  ];
  const audit = await auditViolations(pool, gameId, refund, attempts.length);
  return [...rules.filter(([, isBroken]) => isBroken).map(([name]) => name), ...audit].map(
    (what) => `refund ${refund_id} (${state}): ${what}`,
  );
}

async function auditViolations(pool: pg.Pool, gameId: number, { refund_id, state }: SettledRefund, attempts: number): Promise<string[]> {
  const { rows } = await pool.query<AuditRow>('select act, detail from audit where game_id = $1 and subject = $2 order by audit_id', [
    gameId,
    `refund ${refund_id}`,
  ]);
  const startCount = rows.filter((each) => each.act === REFUND_ACTIONS.startedSending).length;
  const violations = startCount === attempts ? [] : [`the audit has ${startCount} of ${attempts} attempts`];
  let current: string | null = null;
  for (const row of rows) {
    const [from, to] = stateChangeOf(row);
    if (from !== null && current !== null && !from.includes(current))
      violations.push(`the audit jumps from ${current} to ${to ?? row.act}`);
    current = to ?? current;
  }
  return current === state ? violations : [...violations, `the audit ends in ${current ?? 'nothing'}`];
}

interface AuditRow {
  act: string;
  detail: { from?: string; to?: string; approval?: string | null; decision?: string };
}

/** The states an audit row moves a refund from and to; null: it doesn't say. */
function stateChangeOf({ act, detail }: AuditRow): [from: string[] | null, to: string | null] {
  switch (act) {
    case REFUND_ACTIONS.requested:
      return [[], detail.approval === 'policy' ? 'approved' : 'awaiting_approval'];
    case REFUND_ACTIONS.approved:
      return [['awaiting_approval'], 'approved'];
    case REFUND_ACTIONS.rejected:
      return [['awaiting_approval'], 'rejected'];
    case REFUND_ACTIONS.withdrew:
      return [['awaiting_approval', 'approved'], 'withdrawn'];
    case REFUND_ACTIONS.startedSending:
      return [['approved', 'waiting', 'unknown'], 'sending'];
    case REFUND_ACTIONS.confirmedOutcome:
      return [['attention'], detail.decision === 'send_again' ? 'unknown' : (detail.decision ?? null)];
    default:
      return [detail.from === undefined ? null : [detail.from], detail.to ?? null];
  }
}

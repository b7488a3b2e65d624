import { type RawBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { RefundTable } from '#db/types.ts';
import { APPROVALS, type ApproverAccounts, type PersonLimits } from '#lib/approvals/rules/approval.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
import { accountsOf } from '#lib/people/reads.ts';
import { type Refund, type RefundContent, reasonOf } from '../rules/refund.ts';
import { ATTENTION_REASONS, OUTCOME_DECISIONS, OUTCOME_SOURCES, type OutcomeDecision, PROPOSALS, stateOf } from '../rules/state.ts';
import { parseStoredEstimate, parseStoredFacts, parseStoredReceipt } from '../rules/stored.ts';
import {
  isProcessed,
  pauseOf,
  personLimits,
  type RefundPause,
  type RefundSummary,
  reshapePause,
  reshapeSummaries,
  summariesOf,
} from './refund-preconditions.ts';

/** One refund of a game; null when there is none with this id. */
export async function findRefund(db: Db, gameId: number, refundId: number): Promise<Refund | null> {
  const row = await refundOf(db, gameId, refundId).executeTakeFirst();
  return row === undefined ? null : reshape(row);
}

/** A refund with what decides who may do what with it. */
interface Situation {
  refund: Refund;
  /** The outcome that waits for a second person; null: none. */
  outcome: OpenOutcome | null;
  /** null: refunds are sent. */
  pause: RefundPause | null;
  /** What the limits of the person who looks at it are held against. */
  limits: PersonLimits;
  /** Whether they count as another person than the requester, or than who recorded the outcome. */
  accounts: ApproverAccounts;
  /** Refunds of the same period that were open when this one was requested, or within 24 hours before: one of them may be the same request. */
  besides: RefundSummary[];
}

/** One refund with what decides what a person may do with it, in one statement; null when there is none with this id. */
export async function findRefundSituation(
  db: Db,
  { gameId, refundId, personId }: { gameId: number; refundId: number; personId: string },
): Promise<Situation | null> {
  const preparer = sql<string>`coalesce((select proposed_by from refund_decision open where open.game_id = ${gameId}
    and open.refund_id = refund.refund_id and open.confirmed_at is null and open.withdrawn_at is null), refund.requested_by)`;
  const row = await refundOf(db, gameId, refundId)
    .select([
      jsonObjectFrom(outcomeOf(db, gameId, refundId)).as('outcome'),
      jsonObjectFrom(pauseOf(db, gameId)).as('pause'),
      ...personLimits(gameId, personId, refundId),
      jsonArrayFrom(summariesOf(db, gameId, wasOpenBeside(gameId, refundId))).as('besides'),
      jsonObjectFrom(accountsOf(db, personId, preparer))
        .$notNull()
        .as('accounts'),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { outcome, pause, limits, dayBefore, accounts, besides } = row;
  return {
    refund: reshape(row),
    outcome: reshapeOutcome(outcome),
    pause: reshapePause(pause),
    limits: { limits, dayBefore },
    accounts,
    besides: reshapeSummaries(besides),
  };
}

function wasOpenBeside(gameId: number, refundId: number): RawBuilder<boolean> {
  const own = (column: string) => sql`(select ${sql.ref(column)} from refund where (game_id, refund_id) = (${gameId}, ${refundId}))`;
  return sql<boolean>`refund.period_id = ${own('period_id')} and refund.requested_at < ${own('requested_at')}
    and (refund.ended_at is null or refund.ended_at > ${own('requested_at')} - interval '24 hours')`;
}

function refundOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund')
    .innerJoin('person as requester', 'requester.id', 'refund.requested_by')
    .innerJoin('person as assignee', 'assignee.id', 'refund.assignee_id')
    .leftJoin('person as approver', 'approver.id', 'refund.approved_by')
    .leftJoin('slice', (join) => join.on('slice.game_id', '=', gameId).onRef('slice.slice_id', '=', 'refund.reversal_slice_id'))
    .leftJoin('known_player', (join) =>
      join
        .on('known_player.game_id', '=', gameId)
        .on(sql<boolean>`known_player.player_id = (refund.facts -> 'subscription' ->> 'player_id')::bigint`),
    )
    .where('refund.game_id', '=', gameId)
    .where('refund.refund_id', '=', refundId)
    .selectAll('refund')
    .select([
      'requester.name as requester_name',
      'assignee.name as assignee_name',
      'approver.name as approver_name',
      'slice.window_start as reversal_window_start',
      'slice.pulled_at as reversal_pulled_at',
      'known_player.player_name',
      isProcessed(gameId).as('is_processed'),
    ]);
}

type Row = Selectable<RefundTable> & {
  requester_name: string;
  assignee_name: string;
  approver_name: string | null;
  reversal_window_start: string | null;
  reversal_pulled_at: string | null;
  player_name: string | null;
  is_processed: boolean;
};

function reshape(row: Row): Refund {
  const { client_request_id, subscription_id, period_id, period_seq, amount_usd, reason_text, transaction_id } = row;
  return {
    refundId: row.refund_id,
    state: stateOf(row.state),
    isProcessed: row.is_processed,
    client_request_id,
    subscription_id,
    period_id,
    period_seq,
    amount_usd,
    reason_code: reasonOf(row.reason_code),
    reason_text,
    transaction_id,
    facts: parseStoredFacts(row.facts),
    estimate: parseStoredEstimate(row.estimate),
    contentDigest: row.content_digest.toString('hex'),
    requestedBy: { id: row.requested_by, name: row.requester_name },
    requestedAt: row.requested_at,
    assignee: { id: row.assignee_id, name: row.assignee_name },
    needsSecondApprover: row.needs_second_approver,
    approval: parseEnumOrNull(APPROVALS, row.approval),
    approvedBy: row.approved_by === null ? null : { id: row.approved_by, name: row.approver_name ?? row.approved_by },
    approvedAt: row.approved_at,
    firstSentAt: row.first_sent_at,
    attemptCount: row.attempt_count,
    nextCheckAt: row.next_look_at,
    lastErrorCode: row.last_error_code,
    lastErrorId: row.last_error_id,
    attentionReason: parseEnumOrNull(ATTENTION_REASONS, row.attention_reason),
    proposal: parseEnumOrNull(PROPOSALS, row.proposal),
    outcomeSource: parseEnumOrNull(OUTCOME_SOURCES, row.outcome_source),
    receipt: parseStoredReceipt(row.receipt),
    reversal: reversalOf(row),
    playerName: row.player_name,
  };
}

function reversalOf(row: Row): Refund['reversal'] {
  const { reversal_window_start: windowStart, reversal_pulled_at: pulledAt } = row;
  return windowStart === null || pulledAt === null ? null : { windowStart, pulledAt };
}

/** A refund that awaits approval, with what the approver is shown. */
export interface RefundToApprove
  extends Pick<Refund, 'refundId' | 'period_id' | 'amount_usd' | 'facts' | 'estimate' | 'needsSecondApprover' | 'contentDigest'> {
  requested_by: string;
  /** Everything an approval covers, as stored. */
  content: RefundContent;
}

/** A refund that awaits approval; null when there is none with this id, or it has moved on. */
export async function findRefundToApprove(db: Db, gameId: number, refundId: number): Promise<RefundToApprove | null> {
  const found = await db
    .selectFrom('refund')
    .innerJoin('game', 'game.game_id', 'refund.game_id')
    .selectAll('refund')
    .select('game.environment')
    .where('refund.game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  if (found === undefined) return null;
  const { requested_by, period_id, amount_usd, needs_second_approver: needsSecondApprover } = found;
  return {
    refundId,
    requested_by,
    period_id,
    amount_usd,
    needsSecondApprover,
    facts: parseStoredFacts(found.facts),
    estimate: parseStoredEstimate(found.estimate),
    content: found,
    contentDigest: found.content_digest.toString('hex'),
  };
}

/** An outcome recorded by the first of two people, waiting for the second. */
export interface OpenOutcome {
  decision_no: number;
  decision: OutcomeDecision;
  text: string;
  by: { id: string; name: string };
  at: string;
}

/** The outcome of a refund that waits for a second person; null: none. */
export async function findOpenOutcome(db: Db, gameId: number, refundId: number): Promise<OpenOutcome | null> {
  return reshapeOutcome((await outcomeOf(db, gameId, refundId).executeTakeFirst()) ?? null);
}

function outcomeOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund_decision')
    .innerJoin('person', 'person.id', 'refund_decision.proposed_by')
    .where('refund_decision.game_id', '=', gameId)
    .where('refund_decision.refund_id', '=', refundId)
    .where('refund_decision.confirmed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .select(['decision_no', 'decision', 'proposed_text as text', 'proposed_by as id', 'person.name'])
    .select(nestedInstant('refund_decision.proposed_at').as('at'));
}

function reshapeOutcome(row: Awaited<ReturnType<ReturnType<typeof outcomeOf>['executeTakeFirstOrThrow']>> | null): OpenOutcome | null {
  if (row === null) return null;
  const { id, name, decision, ...outcome } = row;
  return { ...outcome, decision: parseEnum(OUTCOME_DECISIONS, decision), by: { id, name } };
}

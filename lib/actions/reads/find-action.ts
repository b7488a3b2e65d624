import { type Selectable, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { DeskActionTable } from '#db/types.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import {
  type ActionFacts,
  type ActionResult,
  parseStoredFacts,
  parseStoredReading,
  parseStoredResult,
  type Reading,
} from '../rules/action-facts.ts';
import {
  type ActionState,
  ATTENTION_REASONS,
  type AttentionReason,
  OUTCOMES,
  type Outcome,
  REASON_CODES,
  type ReasonCode,
  stateOf,
  type Waiting,
} from '../rules/action-state.ts';
import { ACTION_ACTS, auditSubjectOf } from '../rules/audit-acts.ts';
import { type ActionKind, parseActionKind } from '../rules/kinds.ts';
import { type AnswerClass, parseAnswerClass } from '../rules/protocol.ts';
import { houseLabelOf, waitingOf } from './open-actions.ts';

/** A person of an action, as pages name them. */
interface ActionPerson {
  id: string;
  name: string;
}

/** One exchange with Invo, as the page of an action shows it. Instants in UTC. */
interface ActionAttempt {
  attempt_no: number;
  /** null: the worker. */
  sentBy: string | null;
  committedAt: string;
  finishedAt: string | null;
  class: AnswerClass | null;
  phase: string | null;
  status: number | null;
  error_code: string | null;
  error_id: string | null;
  /** What Invo wrote beside a refusal, without emails; null: nothing, or it isn't stored. */
  words: string | null;
}

/** An outcome that people recorded. */
interface ActionDecisionRow {
  decision_no: number;
  decision: Outcome;
  text: string;
  by: ActionPerson;
  at: string;
  isAlone: boolean;
  confirmedBy: ActionPerson | null;
  confirmedAt: string | null;
  withdrawnAt: string | null;
}

/** One desk action with everything its page shows. */
export interface ActionDetails {
  actionId: number;
  kind: ActionKind;
  state: ActionState;
  stateSince: string;
  version: number;
  playerId: number;
  /** null: none is stored, or the player was erased. */
  playerName: string | null;
  /** What people call the house account that coins are sent from; null: no house account is involved. */
  houseLabel: string | null;
  order_id: string | null;
  reference: string | null;
  amount: string | null;
  facts: ActionFacts;
  /** Hex. */
  contentDigest: string;
  reasonCode: ReasonCode;
  reasonText: string | null;
  ticket: string | null;
  requestedBy: ActionPerson;
  requestedAt: string;
  needsSecondApprover: boolean;
  approval: 'policy' | 'person' | null;
  approvedBy: ActionPerson | null;
  approvedAt: string | null;
  firstSentAt: string | null;
  lastSentAt: string | null;
  attempt_count: number;
  unanswered_count: number;
  continuesAt: string | null;
  settleUntil: string | null;
  waiting: Waiting;
  /** When Invo takes it again, as its newest answer reported; null: now, or not reported. */
  takenAgainAt: string | null;
  result: ActionResult | null;
  last_error_code: string | null;
  last_error_id: string | null;
  attentionReason: AttentionReason | null;
  outcomeSource: string | null;
  paidOrderId: string | null;
  attempts: ActionAttempt[];
  readings: { reading: Reading; at: string }[];
  decisions: ActionDecisionRow[];
}

type Row = Selectable<DeskActionTable> & {
  requester: string;
  approver: string | null;
  player_name: string | null;
  waiting: Waiting;
  taken_again_at: string | null;
  house_label: string | null;
  attempts: (Omit<ActionAttempt, 'class' | 'words'> & { class: string | null; body: string | null })[];
  readings: { reading: unknown; at: string }[];
  decisions: (Omit<ActionDecisionRow, 'decision'> & { decision: string })[];
};

/** Finds one action of a game in one statement; null: there is none. */
export async function findAction(db: Db, gameId: number, actionId: number): Promise<ActionDetails | null> {
  const { rows } = await sql<Row>`select action.*, requester.name as requester, approver.name as approver,
      (select player_name from known_player known where known.game_id = ${gameId} and known.player_id = action.player_id) as player_name,
      ${waitingOf(gameId, 'action')} as waiting,
      (select taken from (select finished_at + make_interval(secs => retry_after_ms / 1000.0) as taken from desk_action_attempt tried
        where tried.game_id = ${gameId} and tried.action_id = action.action_id order by attempt_no desc limit 1) newest where taken > clock_now()) as taken_again_at,
      ${houseLabelOf(gameId, 'action')} as house_label,
      (select coalesce(json_agg(json_build_object('attempt_no', attempt_no, 'sentBy', sender.name, 'committedAt', ${nestedInstant('committed_at')},
          'finishedAt', ${nestedInstant('finished_at')}, 'class', class, 'phase', phase, 'status', status, 'error_code', error_code, 'error_id', error_id,
          'body', case when status >= 400 and octet_length(body) <= ${WORDS_BODY_MAX} then encode(body, 'base64') end)
          order by attempt_no), '[]')
        from desk_action_attempt attempt left join person sender on sender.id = attempt.sent_by
        where attempt.game_id = ${gameId} and attempt.action_id = action.action_id) as attempts,
      (select coalesce(json_agg(json_build_object('reading', facts, 'at', ${nestedInstant('read_at')}) order by read_no), '[]')
        from (select * from desk_action_read newest where newest.game_id = ${gameId} and newest.action_id = action.action_id order by read_no desc limit 20) read) as readings,
      (select coalesce(json_agg(json_build_object('decision_no', decision_no, 'decision', decision, 'text', proposed_text, 'isAlone', is_alone,
          'by', json_build_object('id', first.id, 'name', first.name), 'at', ${nestedInstant('proposed_at')},
          'confirmedBy', case when second.id is not null then json_build_object('id', second.id, 'name', second.name) end,
          'confirmedAt', ${nestedInstant('confirmed_at')}, 'withdrawnAt', ${nestedInstant('withdrawn_at')}) order by decision_no), '[]')
        from desk_action_decision decided join person first on first.id = decided.proposed_by left join person second on second.id = decided.confirmed_by
        where decided.game_id = ${gameId} and decided.action_id = action.action_id) as decisions
    from desk_action action join person requester on requester.id = action.requested_by left join person approver on approver.id = action.approved_by
    where action.game_id = ${gameId} and action.action_id = ${actionId}`.execute(db);
  return rows[0] === undefined ? null : detailsOf(rows[0]);
}

function detailsOf(row: Row): ActionDetails {
  const kind = parseActionKind(row.kind);
  if (kind === null) throw new Error(`no kind of desk action: ${row.kind}`);
  const { order_id, reference, amount, attempt_count, unanswered_count, last_error_code, last_error_id } = row;
  return {
    actionId: row.action_id,
    kind,
    state: stateOf(row.state),
    stateSince: row.state_since,
    version: row.version,
    playerId: row.player_id,
    playerName: row.player_name,
    houseLabel: row.house_label,
    order_id,
    reference,
    amount,
    facts: parseStoredFacts(row.facts),
    contentDigest: row.content_digest.toString('hex'),
    reasonCode: parseEnum(REASON_CODES, row.reason_code),
    reasonText: row.reason_text,
    ticket: row.ticket,
    requestedBy: { id: row.requested_by, name: row.requester },
    requestedAt: row.requested_at,
    needsSecondApprover: row.needs_second_approver,
    approval: parseEnumOrNull(['policy', 'person'], row.approval),
    approvedBy: row.approved_by === null || row.approver === null ? null : { id: row.approved_by, name: row.approver },
    approvedAt: row.approved_at,
    firstSentAt: row.first_sent_at,
    lastSentAt: row.last_sent_at,
    attempt_count,
    unanswered_count,
    continuesAt: row.next_look_at,
    settleUntil: row.settle_until,
    waiting: row.waiting,
    takenAgainAt: row.taken_again_at,
    result: parseStoredResult(row.result),
    last_error_code,
    last_error_id,
    attentionReason: parseEnumOrNull(ATTENTION_REASONS, row.attention_reason),
    outcomeSource: row.outcome_source,
    paidOrderId: row.paid_order_id,
    attempts: row.attempts.map(({ body, ...attempt }) => ({
      ...attempt,
      class: parseAnswerClass(attempt.class),
      words: body === null ? null : wordsIn(Buffer.from(body, 'base64')),
    })),
    readings: row.readings.map(({ reading, at }) => ({ reading: parseStoredReading(reading), at })),
    decisions: row.decisions.map((each) => ({ ...each, decision: parseEnum(OUTCOMES, each.decision) })),
  };
}

/** A refusal is short: a longer answer isn't searched for its words. */
const WORDS_BODY_MAX = 8_192;
const WORDS_MAX = 300;

/** The message of a stored refusal; null: it has none. */
function wordsIn(body: Buffer): string | null {
  try {
    const { message, error } = Object(JSON.parse(body.toString('utf8')));
    const words = [message, error].find((text): text is string => typeof text === 'string' && /\s/.test(text));
    return words === undefined ? null : maskEmailsIn(words).slice(0, WORDS_MAX);
  } catch {
    return null;
  }
}

/** Finds who rejected or withdrew an action, when and why, as the audit has it; null: nobody did. */
export async function findDecline(db: Db, gameId: number, actionId: number): Promise<{ name: string; at: string; why: string } | null> {
  const { rows } = await sql<{ name: string; at: string; why: string }>`
    select coalesce(person.name, audit.actor) as name, audit.at, coalesce(audit.detail ->> 'why', '') as why from audit left join person on person.email = audit.actor
    where audit.game_id = ${gameId} and audit.subject = ${auditSubjectOf(actionId)} and audit.act in (${ACTION_ACTS.rejected}, ${ACTION_ACTS.withdrew})
    order by audit.audit_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Finds the action of a form with its facts; null: it was not sent yet. */
export async function findDraft(db: Db, gameId: number, draftId: string): Promise<{ actionId: number; facts: ActionFacts } | null> {
  const row = await db
    .selectFrom('desk_action')
    .select(['action_id', 'facts'])
    .where('game_id', '=', gameId)
    .where('draft_id', '=', draftId)
    .executeTakeFirst();
  return row === undefined ? null : { actionId: row.action_id, facts: parseStoredFacts(row.facts) };
}

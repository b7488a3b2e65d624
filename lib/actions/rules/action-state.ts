import { parseEnum } from '#lib/core/strings.ts';

/** The states of a desk action. The SQL checks of `desk_action` repeat them. */
const ACTION_STATES = [
  'awaiting_approval',
  'approved',
  'sending',
  'waiting',
  'with_player',
  'unknown',
  'checking',
  'attention',
  'done',
  'refused',
  'not_done',
  'lapsed',
  'rejected',
  'withdrawn',
] as const;
export type ActionState = (typeof ACTION_STATES)[number];

/** Whose answer a start waits for; the SQL check of `desk_action.waits_for` repeats the list. */
export const WAITS_FOR = ['phone', 'guardian'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What an action waits for beside its state. */
export interface Waiting {
  /** `owner`: of a start that Invo holds before it reserves anything. Null: nobody. */
  for: WaitsFor | 'owner' | null;
  /** Of the newest answer that wasn't a success; null: there was none. */
  errorCode: string | null;
  /** Of a payment link that Invo made: whether it may still be paid, was paid, or ended without a reported payment. Null or left out: another action. */
  link?: 'open' | 'paid' | 'over' | null;
  /** Whether Invo’s answer named a transaction, so that it may have reserved coins. Left out: not known. */
  hasTransaction?: boolean;
  /** Of what its phone must approve. Null or left out: it waits for no phone. */
  phone?: PhoneProgress | null;
}

/** How far the phone of a start or a collection is. */
interface PhoneProgress {
  /** What it answered to the newest request; null: nothing was requested of it. */
  answer: GrantState | null;
  /** An approval was sent that may have moved the coins. */
  isMoving: boolean;
  /** The window that Invo reported has ended. After a guardian agreed Invo reports none for the phone. */
  isOver: boolean;
}

/** States that only a late answer, a reading or people change. */
const ENDED_STATES = ['done', 'refused', 'not_done', 'lapsed', 'rejected', 'withdrawn'] as const satisfies readonly ActionState[];

/** Ended without having been executed: such an action counts towards no limit. */
export const NOT_CARRIED_OUT_STATES = ['refused', 'not_done', 'lapsed', 'rejected', 'withdrawn'] as const satisfies readonly ActionState[];

/** Whether a state is final. */
export function isEnded(state: ActionState): boolean {
  return (ENDED_STATES as readonly ActionState[]).includes(state);
}

/** The state of a row. Throws for a text that is no state. */
export function stateOf(text: string): ActionState {
  return parseEnum(ACTION_STATES, text);
}

/** Why people must look at an action; the SQL check of `desk_action.attention_reason` repeats the list. */
export const ATTENTION_REASONS = [
  'answer_contradicts',
  'content_altered',
  'cannot_be_read',
  'not_settled',
  'reading_contradicts',
  'restored',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** How it is known that an action was executed; the SQL check of `desk_action.outcome_source` repeats the list. */
export type OutcomeSource = 'answer' | 'replay' | 'reading' | 'people';

/** The outcomes that people record; the SQL check of `desk_action_decision.decision` repeats the list. */
export const OUTCOMES = ['done', 'not_done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why an action is requested; the SQL check of `desk_action.reason_code` repeats the list. */
export const REASON_CODES = ['technical_fault', 'requested_by_player', 'goodwill', 'prize', 'event_outage', 'test', 'other'] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
/** What the phone has answered to a grant; the SQL check of `device_grant.state` repeats the list. */
const GRANT_STATES = ['started', 'waiting', 'enrolling', 'approved', 'declined', 'expired', 'lost', 'replaced'] as const;
export type GrantState = (typeof GRANT_STATES)[number];

import type { ActionFacts, ActionResult, FactsChange, Reading, ReadingKind } from './action-facts.ts';
import type { ActionState, AttentionReason, OutcomeSource, WaitsFor } from './action-state.ts';
import type { ActionAct } from './audit-acts.ts';
import type { ActionKind } from './kinds.ts';
import type { AnswerClass, Sending } from './protocol.ts';
import type { RawAnswer } from './protocols.ts';

/** What an approval of an action covers. */
export interface ActionContent {
  kind: ActionKind;
  player_id: number;
  order_id: string | null;
  reference: string | null;
  amount: string | null;
  facts: ActionFacts;
  request_digest: Buffer;
  reason_code: string;
  reason_text: string | null;
  ticket: string | null;
}

/** An action as its protocol sees it. Times are milliseconds since 1970 by the store's clock. */
export interface ActionJob {
  gameId: number;
  actionId: number;
  /** A step is stored only on the version it was decided for. */
  version: number;
  state: ActionState;
  stateSince: number;
  /** As the row is now; its digest must be the approved one. */
  content: ActionContent;
  /** What the worker sends; null: another kind, or it ended. */
  requestBytes: Buffer | null;
  /** Hex. */
  approvedDigest: string | null;
  requestedBy: string;
  attempt_count: number;
  unanswered_count: number;
  firstSentAt: number | null;
  lastSentAt: number | null;
  approvedAt: number | null;
  settleUntil: number | null;
  /** The end of the window that Invo reported; null: it doesn't wait for a player, or nothing was reported. */
  waitsUntil: number | null;
  /** Whose answer it waits for; null: nobody's. */
  waitsFor: WaitsFor | null;
  /** When Invo takes it again, as the newest answer reported; null: not reported. */
  retryAt: number | null;
  /** Start that it is a step of; null: it is none. */
  parentId: number | null;
  /** The listed fields of the newest answer that had any; null: none had. */
  result: ActionResult | null;
  /** Of the newest attempt; null: there was none, or it has no answer yet. */
  lastClass: AnswerClass | null;
}

/** A whole answer, or what is known without one. */
export interface ActionAnswer extends RawAnswer {
  errorId: string | null;
  retryAfterMs: number | null;
  /** Our code of the connection error; null when Invo answered. */
  transportError: string | null;
  /** When it came, by the clock that Invo's windows are in; left out: by the store's. */
  answeredAt?: number;
  /** The answer as people may read it; null: nothing of it is stored. */
  body: Buffer | null;
}

/** The changes of one step. Fields left out stay as they are. */
export interface ActionChange {
  state?: ActionState;
  /** When the worker continues; null: never. */
  checkAt?: number | null;
  settleUntil?: number | null;
  unanswered_count?: number;
  /** Whose answer it waits for; `until`: the end of the window that Invo reported. */
  waits?: { for: WaitsFor; until: number | null };
  attention_reason?: AttentionReason;
  outcome_source?: OutcomeSource;
  result?: ActionResult;
  last_error_code?: string | null;
  last_error_id?: string | null;
}

/** Who sends an action by pressing a button. */
export interface Presser {
  id: string;
  email: string;
}

/** Why an attempt couldn't start. `busy`: another action of the player is being sent. */
export type NotBegun = 'paused' | 'switched_off' | 'busy' | 'not_allowed' | 'moved_on';

/** The storage that the protocol needs. Every call is one transaction, and every step writes its audit row. */
export interface ActionStore {
  now(): Promise<number>;
  /** Claims one due action, so that no other worker sees it for a while. Null: none is due. */
  takeDue(): Promise<ActionJob | null>;
  find(actionId: number): Promise<ActionJob | null>;
  /** The newest approval of a start. Null: it has none. */
  findStep(job: ActionJob): Promise<{ state: ActionState; last_error_code: string | null } | null>;
  /** Commits an attempt before its first byte is sent, and returns its number. Without a presser it is the worker's, which sends only what it repeats. */
  begin(job: ActionJob, presser: Presser | null): Promise<{ attempt_no: number } | NotBegun>;
  /** Records the answer of an attempt and stores the step. An answer after the lease was lost is still recorded, and one that states the end counts. Returns the state of the action then. */
  finish(job: ActionJob, attempt_no: number, attempt: FinishedAttempt, change: ActionChange): Promise<ActionState>;
  /** Takes a step without an attempt; false: the action has moved on. */
  move(job: ActionJob, act: ActionAct, change: ActionChange & { state: ActionState }): Promise<boolean>;
  /** Leaves the state, records the error if any, and continues later, or never (null). Writes no audit row. */
  postpone(job: ActionJob, checkAt: number | null, error?: ReadError): Promise<void>;
  storeReading(job: ActionJob, reading: Reading): Promise<void>;
}

/** How an attempt ended. */
export interface FinishedAttempt {
  class: AnswerClass;
  answer: ActionAnswer;
  /** The listed fields of the answer; null: it had none. */
  result: ActionResult | null;
}

/** Why Invo couldn't be read, by our code as in `InvoErrorCode`. */
export interface ReadError {
  error: string;
  errorId: string | null;
}

/** What is read before a request, an approval and a press, and the email that only the press uses. */
export interface FreshFacts {
  facts: Omit<ActionFacts, 'request'>;
  email: string;
  /** Of the player, minted for this press; null: the game acts. */
  token: string | null;
  /** Who sends coins; left out: nobody does. */
  sender?: Sending;
  /** What the phone approved with; left out: no phone did. */
  deviceCode?: string;
}

/** The calls to Invo that the protocol needs. Never throw for an error of Invo. */
export interface ActionWire {
  /** Takes one call from the rate budget. Unit: milliseconds to wait; 0: it may be sent. */
  takeCall(job: ActionJob): Promise<number>;
  /** Reads what an action depends on; `blocked`: it can't be requested any more. */
  readFacts(job: ActionJob): Promise<FreshFacts | { blocked: true; why?: FactsChange } | ReadError>;
  /** Reads what settles the outcome, or shows it. */
  read(job: ActionJob, what: ReadingKind): Promise<{ reading: Reading } | ReadError>;
  /** Sends exactly these bytes, once: as the player whose token it is, else as the game. */
  send(job: ActionJob, bytes: Buffer, token: string | null): Promise<ActionAnswer>;
}

/** Everything the protocol works with. */
export interface ActionPorts {
  store: ActionStore;
  wire: ActionWire;
  /** 0 up to 1: spreads the worker's repeats; left out, at random. */
  jitter?: () => number;
}

import type { ActionChange, ActionJob, ActionStore, NotBegun, Presser } from '#lib/actions/rules/action-ports.ts';
import { type ActionState, isEnded, type Outcome } from '#lib/actions/rules/action-state.ts';
import type { AnswerClass } from '#lib/actions/rules/protocol.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import { APPROVAL_VALID_MS, PRESS_SILENT_MS, WORKER_SILENT_MS } from '#lib/actions/rules/settling-times.ts';

/** A desk action in the memory store. */
export interface StoredAction extends ActionJob {
  subject: string;
  checkAt: number | null;
  lease_owner: string | null;
  attention_reason: string | null;
  outcome_source: string | null;
  attempts: { no: number; class: AnswerClass | null }[];
  lastReadAt: number | null;
}

const CHECK_MS = 60_000;
const NEVER_SENT_STATES: readonly ActionState[] = ['awaiting_approval', 'waiting', 'refused', 'rejected', 'withdrawn'];
const REOPENED_STATES: readonly ActionState[] = ['refused', 'not_done', 'lapsed'];

/** The rules of the tables of desk actions without Postgres: steps on a version, one sender per player, one open action per subject. */
export class MemoryStore {
  readonly actions: StoredAction[] = [];
  isPaused = false;
  readonly #now: () => number;
  /** A store with the defect that it starts an attempt in any state, for a test of the rules themselves. */
  readonly #startsAlways: boolean;

  constructor(now: () => number, { startsAlways = false }: { startsAlways?: boolean } = {}) {
    this.#now = now;
    this.#startsAlways = startsAlways;
  }

  insert(action: StoredAction): boolean {
    // After an approval that may have moved coins none begins for its transaction again.
    const isApproval = action.content.kind === 'send_approve' || action.content.kind === 'transfer_approve';
    const isOpen = this.actions.some(
      (each) => each.subject === action.subject && (isApproval ? each.state !== 'refused' : !isEnded(each.state)),
    );
    if (!isOpen) this.actions.push(action);
    return !isOpen;
  }

  /** The store as one process sees it; `around` may kill the process before or after each call. */
  as(owner: string, around: <T>(name: string, work: () => T) => Promise<T>): ActionStore {
    return {
      now: () => around('now', () => this.#now()),
      takeDue: () => around('takeDue', () => this.#takeDue()),
      find: (actionId) => around('find', () => this.#jobOf(this.get(actionId))),
      // No history plays a start with its steps.
      findStep: () => around('findStep', () => null),
      begin: (job, presser) => around('begin', () => this.#begin(owner, job, presser)),
      finish: (job, no, attempt, change) => around('finish', () => this.#finish(owner, job, no, attempt, change)),
      move: (job, _act, change) => around('move', () => this.move(job, change)),
      postpone: (job, checkAt) => around('postpone', () => void this.move(job, { checkAt })),
      storeReading: (job) => around('storeReading', () => void (this.get(job.actionId).lastReadAt = this.#now())),
    };
  }

  get(actionId: number): StoredAction {
    const found = this.actions.find((each) => each.actionId === actionId);
    if (found === undefined) throw new Error(`no desk action ${actionId}`);
    return found;
  }

  move(job: Pick<ActionJob, 'actionId' | 'version'>, change: ActionChange): boolean {
    const stored = this.get(job.actionId);
    if (stored.version !== job.version) return false;
    this.#apply(stored, change);
    return true;
  }

  approve(action: StoredAction, approvedDigest: string): void {
    Object.assign(action, { approvedDigest, approvedAt: this.#now() });
    const isRepeated = protocolOf(action.content.kind).repeats === 'worker';
    this.move(action, { state: 'approved', checkAt: this.#now() + (isRepeated ? 0 : APPROVAL_VALID_MS) });
  }

  /** Ends what needs attention as people found it; false: their reading isn't enough for that. */
  decide(action: StoredAction, outcome: Outcome, settledMs: number): boolean {
    const { lastSentAt, lastReadAt, content } = action;
    // Of a kind that nothing reads, time alone says that no late call arrives.
    const basisAt = protocolOf(content.kind).reading === null ? this.#now() : lastReadAt;
    const age = lastSentAt === null || basisAt === null ? null : basisAt - lastSentAt;
    const isFounded = age !== null && (outcome === 'done' ? age > 0 : age >= settledMs);
    if (lastSentAt !== null && !isFounded) return false;
    const source = outcome === 'done' ? ({ outcome_source: 'people' } as const) : {};
    return this.move(action, { state: outcome, ...source, checkAt: null, settleUntil: null });
  }

  /** What a reading of an order means for its actions. */
  followOrder(orderId: string, status: string): void {
    const now = this.#now();
    for (const action of this.actions.filter(({ content }) => content.order_id === orderId)) {
      if (action.state === 'checking' && action.checkAt !== null && action.checkAt > now + 90_000) this.move(action, { checkAt: now });
      if (status === 'completed' && action.state === 'not_done')
        this.move(action, { state: 'attention', attention_reason: 'reading_contradicts' });
    }
  }

  #jobOf(stored: StoredAction): ActionJob {
    return { ...stored, lastClass: stored.attempts.at(-1)?.class ?? null };
  }

  #takeDue(): ActionJob | null {
    const now = this.#now();
    const due = this.actions.filter(({ checkAt }) => checkAt !== null && checkAt <= now);
    const [first] = due.toSorted((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0));
    if (first === undefined) return null;
    first.checkAt = now + CHECK_MS;
    first.version++;
    return this.#jobOf(first);
  }

  #begin(owner: string, job: ActionJob, presser: Presser | null): { attempt_no: number } | NotBegun {
    const stored = this.get(job.actionId);
    const now = this.#now();
    const { repeats, isForRequester } = protocolOf(stored.content.kind);
    if (this.isPaused) return 'paused';
    if (isForRequester && presser?.id !== stored.requestedBy) return 'not_allowed';
    const isWaiting = stored.state === 'approved' || stored.state === 'waiting';
    const isReady = isWaiting && (presser === null) === (repeats === 'worker') && (stored.approvedAt ?? 0) > now - APPROVAL_VALID_MS;
    const isRepeat =
      presser === null
        ? stored.state === 'unknown' && repeats === 'worker'
        : stored.state === 'checking' && repeats === 'person' && (stored.settleUntil ?? 0) > now;
    const mayStart = stored.version === job.version && (isReady || isRepeat);
    if (!mayStart && !(this.#startsAlways && !isEnded(stored.state))) return 'moved_on';
    if (this.actions.some((each) => each !== stored && each.state === 'sending')) return 'busy';
    if (repeats === 'never' && stored.attempt_count > 0 && !this.#startsAlways)
      throw new Error(`desk action ${stored.actionId} is sent once`);
    stored.attempt_count++;
    stored.attempts.push({ no: stored.attempt_count, class: null });
    this.#apply(stored, { state: 'sending', checkAt: now + (presser === null ? WORKER_SILENT_MS : PRESS_SILENT_MS) });
    Object.assign(stored, { lease_owner: owner, firstSentAt: stored.firstSentAt ?? now, lastSentAt: now });
    return { attempt_no: stored.attempt_count };
  }

  #finish(owner: string, job: ActionJob, no: number, attempt: Parameters<ActionStore['finish']>[2], change: ActionChange): ActionState {
    const stored = this.get(job.actionId);
    const isSilence = attempt.answer.transportError === 'sender_silent';
    const isNewest = stored.attempt_count === no;
    const isOurs = isSilence ? stored.version === job.version : stored.state === 'sending' && stored.lease_owner === owner && isNewest;
    if (isSilence && !isOurs) return stored.state;
    const tried = stored.attempts.find((each) => each.no === no);
    const isRecorded = tried !== undefined && (tried.class === null || tried.class === 'no_answer');
    if (isRecorded) tried.class = attempt.class;
    const isLate = !isOurs && isRecorded && stored.state !== 'sending' && isNewest;
    const isNews = change.state === 'checking' ? !isEnded(stored.state) : change.state === 'with_player' && stored.state === 'checking';
    const counts = isOurs || (isLate && (change.state === 'done' || isNews));
    if (counts) this.#apply(stored, change);
    return stored.state;
  }

  #apply(
    stored: StoredAction,
    { checkAt, result, state, settleUntil, unanswered_count, attention_reason, outcome_source, waits }: ActionChange,
  ): void {
    const isFrozen = isEnded(stored.state) && (state === undefined || state === stored.state);
    const isChanged = unanswered_count !== undefined && unanswered_count !== stored.unanswered_count;
    if (isFrozen && isChanged) throw new Error(`desk action ${stored.actionId} ended as ${stored.state}`);
    stored.version++;
    if (checkAt !== undefined) stored.checkAt = checkAt;
    if (result !== undefined) stored.result = result;
    if (waits !== undefined) Object.assign(stored, { waitsFor: waits.for, waitsUntil: waits.until });
    if (settleUntil !== undefined) stored.settleUntil = settleUntil;
    if (unanswered_count !== undefined) stored.unanswered_count = unanswered_count;
    if (outcome_source !== undefined) stored.outcome_source = outcome_source;
    if (attention_reason !== undefined) stored.attention_reason = attention_reason;
    if (state !== undefined && state !== stored.state) {
      const isReopened = REOPENED_STATES.includes(stored.state) && (state === 'attention' || state === 'done');
      if (isEnded(stored.state) && !isReopened) throw new Error(`desk action ${stored.actionId} left ${stored.state} for ${state}`);
      Object.assign(stored, { state, stateSince: this.#now() });
    }
    if (stored.state !== 'with_player') Object.assign(stored, { waitsFor: null, waitsUntil: null });
    if (stored.state !== 'sending') stored.lease_owner = null;
    if (stored.state !== 'attention') stored.attention_reason = null;
    // The checks of the table.
    const isSound =
      (stored.state === 'attention') === (stored.attention_reason !== null) &&
      (stored.state === 'done') === (stored.outcome_source !== null) &&
      !(NEVER_SENT_STATES.includes(stored.state) && stored.unanswered_count > 0);
    if (!isSound) throw new Error(`desk action ${stored.actionId} can't be stored as ${stored.state}`);
  }
}

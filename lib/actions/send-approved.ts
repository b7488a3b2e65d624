import { isDeepStrictEqual } from 'node:util';
import { coversContent, hasLapsed } from '../approvals/rules/approval.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { isSentAsPlayer } from '../invo/routes/send-action.ts';
import { digestContent } from './action-digest.ts';
import type { ActionResult, FactsChange } from './rules/action-facts.ts';
import type { ActionAnswer, ActionChange, ActionJob, ActionPorts, FreshFacts, NotBegun, Presser, ReadError } from './rules/action-ports.ts';
import type { ActionState } from './rules/action-state.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import type { AnswerClass, Passing, WriteContext } from './rules/protocol.ts';
import { type AnyProtocol, type Entries, findChange, protocolOf } from './rules/protocols.ts';
import { APPROVAL_VALID_MS, followAt, nextWalletAt, STATUS_AGAIN_MS, sendAgainAt, sendsUntil } from './rules/settling-times.ts';
import { settleAction } from './settle-action.ts';

export type SendResult =
  /** What goes to the requester's screen, once; null: nothing. */
  | { ok: true; state: ActionState; passes: Passing | null }
  | { ok: false; reason: NotBegun | 'changed' | 'lapsed' | 'altered' | 'other_entry' | 'not_agreed' | 'not_approved' }
  | { ok: false; reason: 'wait'; wait_ms: number }
  | ({ ok: false; reason: 'no_answer' } & ReadError);

/** The press makes the first reading itself; if it dies meanwhile, the worker does so this much later. */
const READS_ITSELF_MS = 30_000;

/** A press waits this long for a free call at most. */
const WAIT_MAX_MS = 3_000;

/** Who presses, and what they enter. */
export interface Press extends Partial<Entries> {
  presser: Presser;
}

/**
 * Sends an action that a person presses: its attempt is committed before the first byte, so a process that dies leaves either no attempt or one that
 * counts as possibly executed. While nothing can have been executed, what it depends on is read again and must be as approved.
 */
export async function sendAction(ports: ActionPorts, job: ActionJob, { presser, entered = null, ...more }: Press): Promise<SendResult> {
  const { store, wire } = ports;
  if (!(await isAsApproved(ports, job))) return { ok: false, reason: 'altered' };
  const now = await store.now();
  if (job.state === 'approved' && job.approvedAt !== null && hasLapsed(job.approvedAt, now, APPROVAL_VALID_MS)) {
    await lapse(ports, job);
    return { ok: false, reason: 'lapsed' };
  }
  // Invo said when it takes the request again: sooner it would refuse it once more.
  if (job.state === 'approved' && job.retryAt !== null && job.retryAt > now)
    return { ok: false, reason: 'wait', wait_ms: job.retryAt - now };
  const wait_ms = await takeCall(ports, job);
  if (wait_ms > 0) return { ok: false, reason: 'wait', wait_ms };
  const prepared = await prepareBody(ports, job, { ...more, entered });
  if ('reason' in prepared) return prepared;
  const started = await store.begin(job, presser);
  if (typeof started === 'string') return { ok: false, reason: started };
  const answer = await wire.send(job, prepared.body, prepared.token);
  const sent = { ...job, attempt_count: started.attempt_no, firstSentAt: job.firstSentAt ?? now };
  const { state, passes } = await recordAnswer(ports, sent, started.attempt_no, answer, READS_ITSELF_MS);
  return { ok: true, state: state === 'checking' ? await settleNow(ports, job) : state, passes };
}

/** Whether the row is what was approved; otherwise people look at it. Checked first of all: an altered row may name another player. */
export async function isAsApproved({ store }: ActionPorts, job: ActionJob): Promise<boolean> {
  if (coversContent(job.approvedDigest, digestContent(job.content).toString('hex'))) return true;
  const altered = { state: 'attention', checkAt: null, attention_reason: 'content_altered' } as const;
  await store.move(job, ACTION_ACTS.needsAttention, altered);
  return false;
}

type Prepared =
  | { body: Buffer; token: string | null }
  | { ok: false; reason: 'changed' | 'other_entry' }
  | ({ ok: false; reason: 'no_answer' } & ReadError);

/**
 * Writes the exact body. While nothing can have been executed, what it depends on is read again: what differs from the approval ends it. Afterwards the bytes
 * alone decide, and only a body that names the player, or a call that they make, reads them again.
 */
export async function prepareBody(ports: ActionPorts, job: ActionJob, entries: Entries = { entered: null }): Promise<Prepared> {
  const { facts, reference, request_digest, kind } = job.content;
  const protocol = protocolOf(kind);
  const isFirst = job.unanswered_count === 0;
  // Null: other bytes than those that were requested.
  const bodyOf = (email: string | null, read: Pick<FreshFacts, 'sender' | 'deviceCode'> = {}): Buffer | null => {
    const context = { ...partsOf(read), ...entries, reference, email };
    const isRequested = sha256Of(protocol.writeDigested(facts.request, context)).equals(request_digest);
    return isRequested ? Buffer.from(protocol.write(facts.request, context), 'utf8') : null;
  };
  const withoutEmail = bodyOf(null);
  if (!isFirst && !isSentAsPlayer(kind) && withoutEmail !== null) return { body: withoutEmail, token: null };
  const fresh = await ports.wire.readFacts(job);
  if ('error' in fresh) return { ok: false, reason: 'no_answer', ...fresh };
  const isUnchanged =
    'facts' in fresh && isDeepStrictEqual(protocol.decidingOf({ ...fresh.facts, request: facts.request }), protocol.decidingOf(facts));
  const mayBeSent = 'facts' in fresh && (isUnchanged || !isFirst);
  const body = mayBeSent ? bodyOf(fresh.email, fresh) : null;
  if (mayBeSent && body !== null) return { body, token: fresh.token };
  // What was entered differs, and nothing else: the right entry still sends it.
  if (mayBeSent && protocol.enters !== undefined) return { ok: false, reason: 'other_entry' };
  if (isFirst) await lapse(ports, job, 'facts' in fresh ? findChange(kind, facts, fresh.facts) : (fresh.why ?? null));
  return { ok: false, reason: 'changed' };
}

/** What of a reading goes into a body. */
export function partsOf({ sender, deviceCode }: Pick<FreshFacts, 'sender' | 'deviceCode'>): Pick<WriteContext, 'sender' | 'deviceCode'> {
  return { ...(sender === undefined ? {} : { sender }), ...(deviceCode === undefined ? {} : { deviceCode }) };
}

/** Takes the call from the budget before anything is stored; returns the milliseconds to wait where that is too long for a press. */
async function takeCall({ wire }: ActionPorts, job: ActionJob): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const wait_ms = await wire.takeCall(job);
    if (wait_ms <= 0 || performance.now() - startedAt + wait_ms > WAIT_MAX_MS) return Math.max(0, wait_ms);
    await new Promise((resolve) => setTimeout(resolve, wait_ms));
  }
}

/** Ends an approval that can't be used any more; nothing was executed. `why`: what changed; null: it wasn't used in time. */
export async function lapse({ store }: ActionPorts, job: ActionJob, why: FactsChange | null = null): Promise<void> {
  await store.move(job, ACTION_ACTS.lapsed, { state: 'lapsed', checkAt: null, ...(why !== null && { last_error_code: why }) });
}

/** The first reading is part of the press: most orders are settled by it. The worker makes the later ones. */
async function settleNow(ports: ActionPorts, { actionId }: ActionJob): Promise<ActionState> {
  const stored = await ports.store.find(actionId);
  if (stored?.state === 'checking') await settleAction(ports, stored);
  return (await ports.store.find(actionId))?.state ?? 'checking';
}

/** Records an answer, or that there is none, with the step that follows from it; the worker reads `readAfter_ms` later. Returns the state the action is in then. */
export async function recordAnswer(
  { store, jitter = Math.random }: ActionPorts,
  job: ActionJob,
  attempt_no: number,
  answer: ActionAnswer,
  readAfter_ms = 0,
): Promise<{ state: ActionState; passes: Passing | null }> {
  const protocol = protocolOf(job.content.kind);
  const read = protocol.read(answer, job.content.facts.request, job.content.reference);
  const now = await store.now();
  const unanswered_count = job.unanswered_count + (MAY_HAVE_EXECUTED[read.class] ? 1 : 0);
  const times = { now, firstSentAt: job.firstSentAt ?? now, lastSentAt: job.lastSentAt ?? now };
  const { attempt_count, firstSentAt, approvedAt } = job;
  const until = sendsUntil({ firstSentAt, approvedAt });
  const sendAt = sendAgainAt({ ...answer, now, until, attempt_count, jitter: jitter() });
  const window = windowOf(job);
  const step = protocol.next(read.class, {
    ...times,
    unanswered_count,
    lastClass: read.class,
    sendAt,
    ...(window === null ? {} : { windowEndsAt: window }),
  });
  const waits = step.state === 'with_player' ? waitsOf(read.result, { now, answeredAt: answer.answeredAt ?? now }) : null;
  const isDone = step.state === 'done';
  const change: ActionChange = {
    state: step.state,
    unanswered_count,
    checkAt:
      waits !== null
        ? waits.for === 'guardian' || waits.until === null
          ? now + STATUS_AGAIN_MS
          : followAt({ stateSince: now, waitsUntil: waits.until })
        : isDone && protocol.movesCoins
          ? nextWalletAt({ now, doneAt: now })
          : checkAtOf(step, job, readAfter_ms),
    ...(waits === null ? {} : { waits }),
    settleUntil: 'settleUntil' in step ? step.settleUntil : null,
    ...('reason' in step && { attention_reason: step.reason }),
    ...(isDone && { outcome_source: read.class === 'replayed' ? 'replay' : 'answer' }),
    ...(read.result !== null && { result: read.result }),
    last_error_code: isDone ? null : (answer.codes[0] ?? answer.transportError),
    last_error_id: isDone ? null : answer.errorId,
  };
  const state = await store.finish(job, attempt_no, { class: read.class, answer, result: read.result }, change);
  return { state, passes: read.passes };
}

/** Whose answer a start waits for, and until when Invo says: its instant, counted from the answer, by the clock of the store. */
function waitsOf(
  result: ActionResult | null,
  { now, answeredAt }: { now: number; answeredAt: number },
): NonNullable<ActionChange['waits']> {
  const until = now + Date.parse(String(result?.['verification_expires_at'])) - answeredAt;
  return { for: result?.['waits_for'] === 'guardian' ? 'guardian' : 'phone', until: Number.isNaN(until) ? null : until };
}

/** The end of the window that the request of an approval has; null: it is none. */
function windowOf({ content: { facts } }: ActionJob): number | null {
  const until = Date.parse(String(facts.request['window_ends_at']));
  return Number.isNaN(until) ? null : until;
}

/** When the worker continues after a step; null: it doesn't. */
function checkAtOf(step: ReturnType<AnyProtocol['next']>, { approvedAt }: ActionJob, readAfter_ms: number): number | null {
  if ('readAt' in step) return step.readAt + readAfter_ms;
  if ('sendAt' in step) return step.sendAt;
  if ('settleUntil' in step) return step.settleUntil;
  return step.state === 'approved' && approvedAt !== null ? approvedAt + APPROVAL_VALID_MS : null;
}

/** Whether Invo may have executed a call whose answer means this. */
const MAY_HAVE_EXECUTED: Readonly<Record<AnswerClass, boolean>> = {
  done: true,
  replayed: true,
  started: true,
  open: true,
  no_answer: true,
  contradiction: true,
  refused: false,
  not_now: false,
};

/** What is known of a call whose sender fell silent. */
export const NO_ANSWER: ActionAnswer = {
  phase: 'sent',
  status: null,
  codes: [],
  json: null,
  errorId: null,
  retryAfterMs: null,
  transportError: 'sender_silent',
  body: null,
};

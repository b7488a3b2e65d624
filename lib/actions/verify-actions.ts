import type { Db } from '#db/kit/open.ts';
import { canonicalText, sha256Of } from '../core/canonical-digest.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { digestContent } from './action-digest.ts';
import { type ActionAudit, type ActionToVerify, listMissingActions, streamActionsToVerify } from './reads/action-verification.ts';
import { parseStoredFacts } from './rules/action-facts.ts';
import { isEnded, stateOf as stateIn } from './rules/action-state.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { parseActionKind } from './rules/kinds.ts';
import { protocolOf } from './rules/protocols.ts';
import { digestAnswer } from './writes/action-rows.ts';

/**
 * Verifies every desk action: its content is that of its approval and of the audit, each attempt sent the same bytes and has the answer that the audit
 * records, its end follows from the audit, and people are behind every outcome that people recorded. Returns how many were verified.
 */
export async function verifyActions(db: Db, gameId: number, findings: Findings): Promise<number> {
  let count = 0;
  for await (const action of streamActionsToVerify(db, gameId)) {
    count += 1;
    const about = findings.about(`desk action ${action.action_id}`);
    if (!verifyContent(action, about)) continue;
    verifyAttempts(action, about);
    verifyDecisions(action, about);
    verifyEnd(action, about);
  }
  findings.add(await listMissingActions(db, gameId));
  return count;
}

const hex = (digest: Buffer | null): string => digest?.toString('hex') ?? 'none';
const textOf = (value: unknown): string => (value === null || value === undefined ? 'none' : String(value));

function verifyContent(action: ActionToVerify, about: Findings): boolean {
  const kind = parseActionKind(action.kind);
  const facts = parsed(action.facts);
  about.must('stored_json', kind !== null && facts !== null, 'a kind and facts of a known version', 'another kind or shape');
  if (kind === null || facts === null) return false;
  const protocol = protocolOf(kind);
  const request = protocol.parseRequest(facts.request);
  about.must('stored_request', request !== null, `a request of ${kind}`, 'another shape');
  if (request === null) return false;
  const { requested_by, needs_second_approver, approved_digest, approved_by } = action;
  about.same('repeats', protocol.repeats, action.repeats);
  about.same('subject', protocol.subjectOf(request, action.player_id), action.subject);
  const { start_id, transaction_id } = facts.request;
  const isStep = typeof start_id === 'number';
  about.same('parent', textOf(isStep ? start_id : null), textOf(action.parent_id));
  about.same('transaction', textOf(isStep ? transaction_id : null), textOf(action.transaction_id));
  about.same('unit', textOf(action.amount === null ? null : protocol.unit), textOf(action.unit));
  about.same('amount', textOf(protocol.amountOf(request)), textOf(action.amount));
  if (!action.is_erased) about.same('content_digest', hex(digestContent({ ...action, kind, facts })), hex(action.content_digest));
  const bytes = action.request_bytes === null ? null : sha256Of(action.request_bytes);
  const isRepeatable = protocol.repeats === 'worker' && !isEnded(stateIn(action.state));
  about.same('request_bytes', isRepeatable && bytes !== null ? hex(action.request_digest) : 'none', hex(bytes));
  const requested = action.audit.find(({ act }) => act === ACTION_ACTS.requested);
  about.same('requester_in_audit', textOf(requested?.personId), requested_by);
  about.same('content_in_audit', textOf(requested?.detail['content']), hex(action.content_digest));
  about.must('approval_needed', needs_second_approver === (requested?.detail['approval'] === null), 'as in the audit', 'the other');
  if (approved_digest !== null) about.same('approved_content', hex(action.content_digest), hex(approved_digest));
  const approved = action.audit.find(({ act }) => act === ACTION_ACTS.approved);
  about.same('approver_in_audit', textOf(approved?.personId), textOf(approved_by));
  if (approved !== undefined) about.same('approval_in_audit', textOf(approved.detail['content']), hex(approved_digest));
  return true;
}

function parsed(json: unknown): ReturnType<typeof parseStoredFacts> | null {
  try {
    return parseStoredFacts(json);
  } catch {
    return null;
  }
}

function verifyAttempts(action: ActionToVerify, about: Findings): void {
  const { attempts, audit } = action;
  about.same('attempts_counted', String(action.attempt_count), String(attempts.length));
  const starts = audit.filter(({ act }) => act === ACTION_ACTS.startedSending);
  const answers = audit.filter(({ act }) => act === ACTION_ACTS.answered);
  for (const [index, attempt] of attempts.entries()) {
    about.same('attempts_without_gap', String(index + 1), String(attempt.attempt_no));
    about.same('attempt_bytes', hex(action.request_digest), hex(attempt.request_digest));
    about.same('attempt_repeats', action.repeats, attempt.repeats);
    about.same('sender_in_audit', textOf(starts[index]?.personId), textOf(attempt.sent_by));
    const recorded = answers.findLast(({ detail }) => detail['attempt_no'] === attempt.attempt_no && detail['answer'] !== null);
    about.same('answer_in_audit', textOf(recorded?.detail['answer']), attempt.class === null ? 'none' : digestAnswer(attempt));
  }
  const results = countedAnswers(audit).flatMap(({ detail }) => {
    const attempt = attempts.find(({ attempt_no }) => attempt_no === detail['attempt_no']);
    return detail['class'] === 'no_answer' || attempt === undefined || attempt.answer_facts === null ? [] : [attempt.answer_facts];
  });
  about.same('result', canonicalText(results.at(-1) ?? null), canonicalText(action.result));
}

/** The answers that decided a step, oldest first; one that came after the end or after a newer call is only recorded. */
function countedAnswers(audit: ActionAudit[]): ActionAudit[] {
  return audit.filter(({ act, detail }) => act === ACTION_ACTS.answered && detail['counts'] !== false);
}

function verifyDecisions({ decisions, audit }: ActionToVerify, about: Findings): void {
  const recorded = audit.filter(({ act }) => act === ACTION_ACTS.recordedOutcome);
  about.same('outcomes_counted', String(recorded.length), String(decisions.length));
  for (const [index, { decision, proposed_by, proposed_text, confirmed_by, is_alone, confirmed_at, withdrawn_at }] of decisions.entries()) {
    const { personId = null, detail = {} } = recorded[index] ?? {};
    about.same('outcome_in_audit', `${textOf(personId)} ${textOf(detail['decision'])}`, `${proposed_by} ${decision}`);
    about.same('outcome_text_in_audit', textOf(detail['text']), proposed_text);
    const confirmed = audit.filter(({ act, personId: by }) => act === ACTION_ACTS.confirmedOutcome && by === confirmed_by);
    about.must('confirmation_in_audit', confirmed_by === null || confirmed.length > 0, 'a confirmation by this person', 'none');
    about.must(
      'alone_or_two',
      (confirmed_at === null || is_alone === (confirmed_by === null)) && !(confirmed_at !== null && withdrawn_at !== null),
      'one or two people',
      'others',
    );
  }
}

/** The state that follows from the audit, and how the action is known to be done. */
function verifyEnd(action: ActionToVerify, about: Findings): void {
  const { state, audit, decisions, outcome_source } = action;
  about.same('state_in_audit', textOf(stateOf(action)), state);
  if (state !== 'done') return about.same('outcome_source', 'none', textOf(outcome_source));
  const last = countedAnswers(audit).at(-1)?.detail['class'] ?? null;
  const byPeople = decisions.some(({ decision, confirmed_at }) => decision === 'done' && confirmed_at !== null);
  const expected = byPeople ? 'people' : last === 'done' ? 'answer' : last === 'replayed' ? 'replay' : 'reading';
  about.same('outcome_source', expected, textOf(outcome_source));
}

function stateOf({ audit, decisions }: ActionToVerify): string | null {
  const isAlone = decisions.some(({ is_alone }) => is_alone);
  return audit.reduce<string | null>((state, { act, detail }) => stateAfter({ act, detail }, isAlone) ?? state, null);
}

function stateAfter({ act, detail }: Pick<ActionAudit, 'act' | 'detail'>, isAlone: boolean): string | null {
  switch (act) {
    case ACTION_ACTS.requested:
      return detail['approval'] === null ? 'awaiting_approval' : 'approved';
    case ACTION_ACTS.approved:
      return 'approved';
    case ACTION_ACTS.rejected:
      return 'rejected';
    case ACTION_ACTS.withdrew:
      return 'withdrawn';
    case ACTION_ACTS.startedSending:
      return 'sending';
    case ACTION_ACTS.recordedOutcome:
      return isAlone ? textOf(detail['decision']) : null;
    case ACTION_ACTS.confirmedOutcome:
      return textOf(detail['decision']);
    case ACTION_ACTS.answered:
    case ACTION_ACTS.settled:
    case ACTION_ACTS.lapsed:
    case ACTION_ACTS.needsAttention:
      return textOf(detail['to']);
    default:
      return null;
  }
}

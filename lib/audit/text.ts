import { ACCOUNT_LABELS } from '../accounting/rules/journal.ts';
import { TRANSFER_TEXT } from '../accounting/text.ts';
import { GROUP_TEXT, MILESTONE_EVENT_TEXT } from '../actions/text.ts';
import { STORED_LIMIT_LABELS } from '../approvals/text.ts';
import { capitalise } from '../core/strings.ts';
import { NOTICE_KIND_TEXT, REACH_TEXT } from '../notices/text.ts';
import { PAYMENT_METHOD_TEXT, REPORT_KIND_TEXT } from '../payments/text.ts';
import { ADJUSTMENT_KIND_TEXT, CONCLUSION_TEXT, formatCheckTitle, HOLD_REASON_TEXT } from '../payouts/text.ts';
import { ATTEMPT_TEXT, OUTCOME_TEXT, REFUND_STATE_TEXT } from '../refunds/text.ts';
import { READ_LABELS } from '../webhooks/text.ts';
import { textOfAct } from './rules/acts.ts';
import { formatFact, listFacts, type Vocabulary } from './rules/format-facts.ts';

/** Invo's reasons for a renewal without attribution. */
const UNATTRIBUTED = ['spend_order_not_found', 'attribution_not_recorded', 'attribution_malformed', 'no_revenue_share_configured'];

/** Facts whose values are words of the code. */
const WORDS: Vocabulary['words'] = {
  check: formatCheckTitle,
  recipientId: (id) => `player ${id}`,
  reason: {
    ...HOLD_REASON_TEXT,
    ...Object.fromEntries(UNATTRIBUTED.map((reason) => [reason, formatCheckTitle(reason)])),
    unconfirmed: 'Their account isn’t confirmed',
    too_new: 'Their role, password link or two-factor reset is less than 24 hours old',
    preparer_disabled: 'The account of who prepared it is disabled',
    preparer_unconfirmed: 'The account of who prepared it isn’t confirmed',
    preparer_too_new: 'The role, password link or two-factor reset of who prepared it is less than 24 hours old',
    own_request: 'It is their own request',
    same_person: 'They proposed it themselves',
    editor: 'They worked on it',
    not_allowed: 'Their role doesn’t allow it',
    moved_on: 'It was decided already',
    not_as_shown: 'It had changed since they opened it',
    changed: 'It had changed since they opened it',
    wrong_code: 'The code was wrong',
    used_code: 'The code had been used already',
  },
  kind: { ...ADJUSTMENT_KIND_TEXT, ...REPORT_KIND_TEXT },
  method: PAYMENT_METHOD_TEXT,
  conclusion: CONCLUSION_TEXT,
  decision: OUTCOME_TEXT,
  class: wordsOf(ATTEMPT_TEXT, ({ word }) => word),
  from: wordsOf(REFUND_STATE_TEXT, ({ label }) => label),
  to: wordsOf(REFUND_STATE_TEXT, ({ label }) => label),
  name: STORED_LIMIT_LABELS,
  group: wordsOf(GROUP_TEXT, ({ label }) => label),
  event_type: MILESTONE_EVENT_TEXT,
  read: READ_LABELS,
  ...wordsOf(NOTICE_KIND_TEXT, () => REACH_TEXT),
  approval: { policy: 'automatically within the auto-approval limit' },
  purpose: { first_admin: 'first admin', invitation: 'invitation', new_password: 'new password' },
  second_factor: { app: 'code from the app', backup: 'backup code' },
  outcome: { done: 'Invo made the change', refused: 'Invo refused it', unknown: 'Unknown', not_sent: 'Not sent' },
};

function wordsOf<Text, Word>(texts: Readonly<Record<string, Text>>, word: (text: Text) => Word): Record<string, Word> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, word(text)]));
}

/** Names of facts that are listed by themselves; another name is written in words. */
const LABELS: Vocabulary['labels'] = {
  ...wordsOf(ACCOUNT_LABELS, (label) => label),
  ...TRANSFER_TEXT,
  ...NOTICE_KIND_TEXT,
  exact_usd: 'Exact USD',
  item_nos: 'Payments',
  item_no: 'Payment',
  period_seq: 'Period number',
  subscription_id: 'Subscription',
  message_id: 'Message',
  facts: 'Digest of the payments',
  unpaid: 'Lost files that were stated not to be uploaded',
  found_by: 'Found by',
  missing: 'Runs that the backup lacks',
  missing_files: 'Payment files that the backup lacks',
  restore: 'Restore',
  unchanged_limit: 'Unchanged limit',
  secondApprovalFrom_usd: 'Second approval from',
  firstPaymentFrom_usd: 'Note for a first payment from',
  recheckHours: 'Hours a re-check counts',
  changePercent: 'Percent of change to list',
  holdsBaseMismatch: 'Base mismatches are held',
};

const VOCABULARY: Vocabulary = { labels: LABELS, words: WORDS };

/** An entry of the audit as a person reads it. */
export interface AuditText {
  act: string;
  subject: string;
  /** Sentences, and last what none of them has, each fact with its label. */
  facts: string[];
}

/** Writes an entry in words: what was done, to what, and its facts. Nothing is left out; the exported file has digests and keys whole. */
export function formatAuditEntry({ act, subject, detail }: { act: string; subject: string; detail: Record<string, unknown> }): AuditText {
  const [shown, ...sentences] = textOfAct(act);
  const used = new Set<string>();
  const made = sentences.flatMap((sentence) => {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (names.some((name) => used.has(name) || formatFact(VOCABULARY, name, detail[name]) === '')) return [];
    for (const name of names) used.add(name);
    return [
      capitalise(sentence.replace(/\{(\w+)\}/g, (_, name: string) => formatFact(VOCABULARY, name, detail[name]))).replace(/…\.$/, '…'),
    ];
  });
  const rest = listFacts(VOCABULARY, Object.fromEntries(Object.entries(detail).filter(([name]) => !used.has(name))));
  return {
    act: shown,
    // A capability: `payouts.approve` is “approve payouts”.
    subject: act === 'was refused for their roles' ? subject.split('.').toReversed().join(' ') : subject,
    facts: rest.length === 0 ? made : [...made, rest.join(' · ')],
  };
}

import { capitalise } from '../../core/strings.ts';
import { formatRefundAction, type RefundAct } from '../../refunds/rules/audit-actions.ts';

/** How an act is shown, and the sentences made of its facts: each with the names of facts in braces, left out when one of them is missing. */
type ActText = readonly [shown: string, ...sentences: string[]];

const ASKED = '“{reason}”';

/**
 * Every act that is recorded outside refunds, under its stored name. What no sentence uses is listed below them by its label.
 */
const ACTS = {
  // Sign-in and accounts
  'signed in': ['Signed in', 'Second factor: {second_factor}.'],
  'failed to sign in': ['Failed to sign in'],
  'gave a wrong password': ['Entered a wrong password'],
  'gave a wrong code': ['Entered a wrong code', '{reason}.'],
  'used a backup code': ['Used a backup code'],
  'set a password': ['Set a password', 'Link: {purpose}.', 'The account waits before it counts: {waits}.'],
  'made a set-up link': ['Created a set-up link'],
  'made a password link': ['Created a password link', 'The link was {link}.'],
  'withdrew a password link': ['Withdrew a password link', 'Reason: {reason}.'],
  'added a person': ['Added a person', 'Roles: {roles}.'],
  'added a person, whose roles wait for approval': ['Added a person', 'Roles, waiting for approval: {roles}.'],
  'added a demo person': ['Added a demo person', 'Roles: {roles}.'],
  'asked to change roles': ['Requested a change of roles', 'From {before} to {after}.'],
  'changed roles': ['Changed roles', 'From {before} to {after}.'],
  'approved roles': ['Approved roles', 'From {before} to {after}.', 'Requested by {asked_by}.'],
  'declined roles': ['Declined roles', 'Declined: {declined}.', 'Requested by {asked_by}.'],
  'disabled a person': ['Disabled a person'],
  'enabled a person': ['Enabled a person'],
  'confirmed an account': [
    'Confirmed an account',
    'The account counts: {counts}.',
    'Roles from {before} to {after}.',
    'Requested by {asked_by}.',
  ],
  'counts an account as confirmed': ['Account confirmed by two'],
  'turned on two-factor authentication': ['Turned on two-factor authentication'],
  'turned off two-factor authentication': ['Turned off two-factor authentication'],
  'made new backup codes': ['Created new backup codes'],
  'reset two-factor authentication': ['Reset two-factor authentication'],
  'changed which roles need two-factor authentication': ['Changed which roles need two-factor authentication', 'From {before} to {after}.'],
  'changed notice settings': ['Changed notice settings'],
  'was refused before setting up two-factor authentication': ['Refused: two-factor authentication isn’t set up'],
  'was refused for their roles': ['Refused: their roles don’t allow it'],
  // Evidence and files
  'asked for a pull': ['Requested a pull', 'Pull {pullId}.', 'Lines pulled already are read again: {isFresh}.'],
  'started the history': ['Started pulling the history'],
  'paused scheduled pulls': ['Paused scheduled pulls'],
  'resumed scheduled pulls': ['Resumed scheduled pulls'],
  'asked for the detail reports': ['Requested the detail reports', 'Job {detailJobId}.'],
  'changed what is read of each month': [
    'Changed what is read of each month',
    'Card periods: {cardPeriods}.',
    'Subscriptions: {subscriptions}.',
  ],
  'noted a renewal without attribution': ['Updated a renewal without attribution', 'Assigned to {assignedTo}.', '“{note}”'],
  'asked for balances': ['Requested balances', 'Players: {scope}.', 'Addresses: {addresses}, in lines: {lines}.'],
  'stopped reading balances': ['Stopped reading balances'],
  'erased a recipient': ['Erased a recipient', ASKED],
  'took a file': ['Exported a file', 'With payment accounts: {with_accounts}.', 'SHA-256 digest {sha256}.'],
  'requested an evidence pack': ['Requested an evidence pack', 'With payment accounts: {with_accounts}.'],
  // Payouts
  'started payout run': ['Started the run', 'Month {month}, snapshot {snapshot_id}.'],
  'recalculated payout run': ['Recalculated the run', 'Payable: {payable_usd}.'],
  'noted a check of payout run': ['Wrote a note on a check', '{check}.'],
  'recorded a finding for payout run': ['Recorded a finding', '{reason}: {renewals}.', '{conclusion}.'],
  'entered the EUR rate of payout run': ['Entered the EUR rate', '{usd_per_eur} USD per EUR. Source: {source}.'],
  'submitted payout run': ['Submitted the run for approval', 'Payable: {payable_usd}.', 'Content {content_digest}.'],
  'returned payout run to draft': ['Returned the run to draft', 'Cause: {cause}.', 'Changed: {changes}.'],
  'rejected payout run': ['Sent the run back', ASKED],
  'approved payout run': ['Approved the run', 'Payable: {payable_usd}.', 'Content {content_digest}.'],
  'posted journal of payout run': ['Posted a journal', 'Journal {journal_no}, dated {posted_on}.'],
  'requested to void payout run': ['Requested to void the run', ASKED, 'Stated that no file was uploaded: {not_uploaded}.'],
  'discarded the request to void payout run': ['Kept the run: discarded the request to void it'],
  'voided payout run': ['Voided the run', ASKED, 'Requested by {asked_by}.'],
  'closed payout run': ['Closed the run', 'Payable: {payable_usd}.'],
  'asked for all statements': ['Requested all statements', 'Job {statementJobId}.'],
  'placed a hold': ['Placed a hold', '{reason}.', 'Held: {amount_usd}.', 'Period {period_id}.'],
  'excluded from a run': ['Excluded the recipient from a run', 'Run {run_no}.'],
  'released a hold': ['Released a hold', 'Hold {hold_id}.', 'Run {run_no}.'],
  'set the minimum payout': ['Set the minimum payout', 'Minimum: {minimum_usd}.', 'Run {run_no}.'],
  'proposed an adjustment': [
    'Proposed an adjustment',
    '{amount_usd} for {recipientId}, {kind}: “{reason}”',
    'Corrects run {correctsRunId}.',
  ],
  'proposed a payout policy': ['Proposed a payout policy'],
  'confirmed a proposal': ['Confirmed a proposal'],
  'withdrew a proposal': ['Withdrew a proposal'],
  'paused payouts': ['Payouts paused after a restore'],
  'asked to resume payouts': ['Requested to resume payouts'],
  'resumed payouts': ['Resumed payouts'],
  'was refused to change payouts': ['Refused: to change payouts', '{reason}.'],
  'set the accounts of journals': ['Set the accounts of journals'],
  // Payment details and payments
  'proposed payment details': ['Proposed payment details', ASKED, 'Recipients: {recipients}.', 'Details {detail_no}.', 'Digest {digest}.'],
  'confirmed payment details': ['Confirmed payment details', 'Recipients: {recipients}.', 'Details {detail_no}.'],
  'withdrew payment details': ['Withdrew payment details', 'Recipients: {recipients}.', 'Details {detail_no}.'],
  'viewed payment details': ['Viewed payment details', 'Details {detail_no}.', 'They couldn’t be read with the key: {unreadable}.'],
  'sealed payment details under another key': [
    'Sealed payment details under another key',
    'Details: {details}, from key {from} to key {to}.',
  ],
  'proposed a sender account': ['Proposed a sender account', '{method}, {mask}.', 'Digest {digest}.'],
  'confirmed a sender account': ['Confirmed a sender account'],
  'withdrew a sender account': ['Withdrew a sender account'],
  'viewed a sender account': ['Viewed a sender account', 'It couldn’t be read with the key: {unreadable}.'],
  'created a payment file': [
    'Created a payment file',
    'Payments: {payments} of run {run_no}, {total_usd} in total.',
    'File {file}, SHA-256 digest {sha256}.',
  ],
  'downloaded a payment file': ['Downloaded a payment file', 'File {file}, SHA-256 digest {sha256}.'],
  'handed over a payment file': [
    'Recorded the hand-over of a payment file',
    'Reference at the provider: {provider_reference}.',
    'SHA-256 digest {sha256}.',
  ],
  'requested to cancel a payment file': ['Requested to cancel a payment file', ASKED, 'Stated that it wasn’t uploaded: {not_uploaded}.'],
  'discarded the request to cancel a payment file': ['Kept a payment file: discarded the request to cancel it'],
  'cancelled a payment file': [
    'Canceled a payment file',
    ASKED,
    'Stated that it wasn’t uploaded: {not_uploaded}.',
    'SHA-256 digest {sha256}.',
  ],
  'sealed payment files under another key': ['Sealed payment files under another key', 'Files: {sealed}, from key {from} to key {to}.'],
  'proposed payments as paid elsewhere': [
    'Proposed payments as paid elsewhere',
    'Payments: {payments} of run {run_no}, {total_usd} on {paid_on}.',
    '“{note}”',
  ],
  'confirmed payments as paid elsewhere': ['Confirmed payments as paid elsewhere', 'Payments: {payments} of run {run_no}, {total_usd}.'],
  'withdrew payments as paid elsewhere': ['Withdrew payments as paid elsewhere', 'Payments: {payments} of run {run_no}, {total_usd}.'],
  'recorded a bank report': ['Recorded a bank report', 'Report {kind}: {result}', 'SHA-256 digest {sha256}.'],
  'accepted a row of a bank report': ['Accepted a row of a bank report', 'Row {row}, reported as {state}. Payments: {count}.', '“{note}”'],
  'set aside a row of a bank report': ['Set aside a row of a bank report', 'Row {row}.', '“{note}”'],
  'set aside rows of a bank report': ['Set aside rows of a bank report', 'Rows about no payment of this game: {count}.', '“{note}”'],
  'viewed the rows of a bank report': ['Viewed the rows of a bank report'],
  'downloaded a bank report': ['Downloaded a bank report'],
  'proposed to re-issue a payment': ['Proposed to re-issue a payment', '{amount_usd} of run {run_no}.', ASKED],
  'confirmed the re-issue of a payment': ['Confirmed the re-issue of a payment', '{amount_usd} of run {run_no}, as {reissue}.'],
  'withdrew the re-issue of a payment': ['Withdrew the re-issue of a payment', '{amount_usd} of run {run_no}.'],
  // Desk actions
  'asked to turn on desk actions': ['Requested to turn on desk actions', '{group}.'],
  'turned on desk actions': ['Turned on desk actions', '{group}.', 'Requested by {asked_by}.'],
  'declined to turn on desk actions': ['Declined to turn on desk actions', '{group}.', 'Requested by {asked_by}.'],
  'turned off desk actions': ['Turned off desk actions', '{group}.'],
  'added a milestone': ['Added a milestone', '{label}: {milestone}, {event_type}.'],
  'removed a milestone': ['Removed a milestone', '{milestone}, {event_type}.'],
  'set the word for sends': ['Set the word that asks a phone about a send', '“{word}”, before “{before}”.'],
  'asked to add a house account': ['Requested a house account', '{label}, phone ending in {phone_end}.'],
  'added a house account': ['Added a house account', '{label}, phone ending in {phone_end}.'],
  'removed a house account': ['Removed a house account', '{label}, phone ending in {phone_end}.'],
  'paused desk actions': ['Paused desk actions', '“{why}”'],
  'asked to resume desk actions': ['Requested to resume desk actions'],
  'resumed desk actions': ['Resumed desk actions'],
  'requested a desk action': ['Requested a desk action', '{kind} for player {player_id}.', '{amount} {unit}.', 'Approved {approval}.'],
  'approved a desk action': ['Approved a desk action', '{kind} for player {player_id}.', 'Requested by {asked_by}.', 'Content {content}.'],
  'rejected a desk action': ['Rejected a desk action', '“{why}”'],
  'withdrew a desk action': ['Withdrew a desk action', '“{why}”'],
  'started sending a desk action': ['Started sending a desk action', 'Attempt {attempt_no}.'],
  'recorded the answer to a desk action': [
    'Recorded the answer to a desk action',
    '{class}. The action is now: {to}.',
    'Attempt {attempt_no}.',
    'Stored answer: {answer}.',
  ],
  'settled a desk action': ['Found the outcome of a desk action', 'From {from} to {to}.'],
  'let a desk action expire': ['Let a desk action expire', 'From {from} to {to}.'],
  'asked for a manual check of a desk action': ['Requested a manual check of a desk action', '{reason}.', 'From {from} to {to}.'],
  'read what a desk action is about': ['Read what a desk action is about'],
  'recorded the outcome of a desk action': ['Recorded the outcome of a desk action', '{decision}.', '“{text}”'],
  'confirmed the outcome of a desk action': ['Confirmed the outcome of a desk action', '{decision}.'],
  'asked a phone to approve': ['Asked the phone to approve'],
  'acted as a player': ['Acted as the player', '{purpose}.'],
  'discarded the outcome of a desk action': ['Discarded the outcome of a desk action'],
  // Webhooks and subscriptions
  'settled a conflict': ['Settled a conflict', ASKED],
  'marked a delivery of another game as known': ['Marked a delivery of another game as known', ASKED],
  'marked a failing delivery as known': ['Marked a failing delivery as known', ASKED],
  'asked for another reading': ['Requested another reading', 'What is read: {read}.'],
  'requested a cancellation': ['Requested a cancellation'],
  'requested a price change': ['Requested a price change', 'To {amount_usd}.'],
  'requested a card change': ['Requested a card change'],
  'recorded the outcome of a cancellation': ['Recorded the outcome of a cancellation', 'Outcome: {outcome}.'],
  'recorded the outcome of a price change': ['Recorded the outcome of a price change', 'Outcome: {outcome}.'],
  'recorded the outcome of a card change': ['Recorded the outcome of a card change', 'Outcome: {outcome}.'],
} as const satisfies Record<string, ActText>;

/** An act as it is stored: one of the list, one about a refund, or the refusal of something. */
export type AuditAct = keyof typeof ACTS | RefundAct | `was refused ${string}`;

/** The acts outside refunds, under their stored names. */
export const AUDIT_ACTS = Object.keys(ACTS);

/** What every act about refunds can have. */
const REFUND_SENTENCES = [
  '{class}. The refund is now: {to}.',
  'From {from} to {to}.',
  'The refund is now: {to}.',
  '{amount_usd}, approved {approval}.',
  '{amount_usd} requested.',
  '{name}: {limit_usd}.',
  '{name}: {limit_coins} coins.',
  '{decision}.',
  '{reason}.',
  '“{why}”',
  '“{text}”',
  'Stored answer: {answer}.',
  'Attempt {attempt_no}.',
];

/** How an act is shown under its stored name. */
export function textOfAct(act: string): ActText {
  const known: ActText | undefined = Object.hasOwn(ACTS, act) ? ACTS[act as keyof typeof ACTS] : undefined;
  if (known !== undefined) return known;
  const refused = /^was refused (.+)$/.exec(act)?.[1];
  if (refused !== undefined) return [`Refused: ${refused}`, '{reason}.'];
  return [capitalise(formatRefundAction(act)), ...REFUND_SENTENCES];
}

/** The stored names of the acts that are shown by a text with these words, without regard to case. */
export function actsShownAs(words: string): string[] {
  return Object.entries(ACTS).flatMap(([act, [shown]]) => (shown.toLowerCase().includes(words.toLowerCase()) ? [act] : []));
}

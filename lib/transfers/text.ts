import type { Tone } from '#lib/core/strings.ts';
import {
  findReturn,
  type GuardianState,
  PENDING_CLAIM,
  parseGuardianState,
  parseVerificationState,
  type TransferEvent,
  type TransferFilter,
  type VerificationState,
} from './rules/transfer-state.ts';

export interface StateText {
  label: string;
  tone: Tone;
  sentence: string;
}

/** A guardian's answer about a transfer, as far as known; `none`: no guardian is involved. */
export type GuardianRequest = GuardianState | 'none' | 'unknown';

const WALLET_SHOWS = 'The sender’s wallet shows whether the coins are reserved.';
/** A transfer that awaits approval. Its coins are reserved at the start; if a guardian must approve, document 3 doesn't say. */
const AWAITING_SENTENCES: Record<GuardianRequest, string> = {
  none: 'The coins are reserved, and nothing has moved. The sender has to approve.',
  unknown: `Nothing has moved. The sender has to approve, after a guardian where one is asked. ${WALLET_SHOWS}`,
  pending: `Nothing has moved. A guardian has to agree before the sender can approve. ${WALLET_SHOWS}`,
  approved: `Nothing has moved. The guardian agreed, and the sender has to approve. ${WALLET_SHOWS}`,
  rejected: `Nothing has moved. The guardian declined, so the transfer can’t continue. ${WALLET_SHOWS}`,
  expired: `Nothing has moved. The guardian didn’t answer in time, so the transfer can’t continue. ${WALLET_SHOWS}`,
};

/** Every state of a transfer's verification (document 3). Coins are back only when the transfer was refunded or the wallet shows it. */
const STATE_TEXT: Record<VerificationState, StateText> = {
  awaiting: { label: 'Awaiting approval', tone: 'wait', sentence: AWAITING_SENTENCES.unknown },
  approved: { label: 'Approved', tone: 'busy', sentence: 'The sender approved it. It may still have to be collected.' },
  completed: { label: 'Collected', tone: 'good', sentence: 'The receiver collected it.' },
  expired: { label: 'Expired', tone: 'quiet', sentence: 'Its window ended. The coins go back to the sender.' },
  failed: { label: 'Failed', tone: 'bad', sentence: 'It failed. The coins go back to the sender.' },
};

const RETURNED_TEXT = {
  status: 'The coins are back with the sender.',
  webhook: 'A webhook reports that the coins are back with the sender.',
};

/** Why a transfer ended without effect, where the guardian’s answer says it; left out: it doesn’t. */
const ENDED_BY_GUARDIAN: Readonly<Partial<Record<GuardianRequest, string>>> = {
  rejected: 'The guardian declined it.',
  expired: 'The guardian didn’t answer in time.',
};

/**
 * The text of a transfer's state and status, with the webhooks about it and its guardian's answer. An undocumented state is shown as Invo wrote it,
 * and nothing follows from it.
 */
export function transferStateText(
  state: string | null,
  status: string | null,
  events: readonly TransferEvent[] = [],
  guardian: GuardianRequest = 'unknown',
): StateText {
  const known = parseVerificationState(state);
  const returned = known === null ? null : findReturn({ state: known, status }, events);
  const why = ENDED_BY_GUARDIAN[guardian];
  if (returned !== null)
    return { label: 'Returned', tone: 'quiet', sentence: `${why ?? 'It wasn’t collected.'} ${RETURNED_TEXT[returned]}` };
  if (known === 'approved' && status === PENDING_CLAIM)
    return { label: 'Waiting to be collected', tone: 'wait', sentence: 'The sender approved it. The receiver hasn’t collected it yet.' };
  if (known === 'awaiting') return { ...STATE_TEXT.awaiting, sentence: AWAITING_SENTENCES[guardian] };
  if (why !== undefined && (known === 'expired' || known === 'failed'))
    return { ...STATE_TEXT[known], sentence: `${why} The coins go back to the sender.` };
  if (known !== null) return STATE_TEXT[known];
  if (state === null) return { label: 'Not reported', tone: 'quiet', sentence: 'Invo’s answer has no verification state.' };
  return { label: state, tone: 'quiet', sentence: 'Invo reports a state its documentation doesn’t name.' };
}

/** One of Invo's words of a transfer in the product's words; null: one that the documents don't name, which is shown as it came. */
export function wordOfTransfer(text: string): string | null {
  if (text === PENDING_CLAIM) return 'Waiting to be collected';
  const known = parseVerificationState(text);
  return known === null ? null : STATE_TEXT[known].label;
}

const GUARDIAN_TEXT: Record<GuardianState, StateText> = {
  pending: { label: 'Guardian asked', tone: 'wait', sentence: 'A guardian has been asked and hasn’t answered.' },
  approved: { label: 'Guardian agreed', tone: 'good', sentence: 'The guardian agreed.' },
  rejected: { label: 'Guardian declined', tone: 'bad', sentence: 'The guardian declined. The transaction can’t continue.' },
  expired: {
    label: 'Guardian didn’t answer',
    tone: 'bad',
    sentence: 'The guardian didn’t answer in time. The transaction can’t continue.',
  },
};

/** The text of a guardian's answer; an undocumented one is shown as Invo wrote it. */
export function guardianText(state: string | null): StateText {
  const known = parseGuardianState(state);
  if (known !== null) return GUARDIAN_TEXT[known];
  if (state === null) return { label: 'Not reported', tone: 'quiet', sentence: 'Invo’s answer has no state.' };
  return { label: state, tone: 'quiet', sentence: 'Invo reports a state its documentation doesn’t name.' };
}

/** What an empty list of transfers means: none is stored, not that there is none. */
export const NO_TRANSFERS_KNOWN = 'None known yet. There may be transfers at Invo that Sharebook hasn’t read.';

/** Why the list of transfers may be incomplete. */
export const TRANSFERS_KNOWN = 'Invo doesn’t list transfers. Sharebook knows those it has read and those that webhooks name.';

/** What the list of a player's transfers contains. `hasIdentity` false: their identity, by which transfers name people, isn't known. */
export function formatPlayerTransfers(hasIdentity: boolean): string {
  const found = hasIdentity
    ? 'A transfer’s status names its receiver, not its sender. This list has transfers that a webhook connects with this player, and those whose status names them as the receiver.'
    : 'This player’s identity isn’t known, so only transfers whose webhook names the player are listed here.';
  return `${found} Search for a transaction ID to open one that is missing.`;
}

/** What each filter of the list is called. */
export const TRANSFER_FILTER_LABELS: Record<TransferFilter, string> = {
  needs_person: 'Needs attention',
  reserved: 'Reserved, not approved',
  ends_soon: 'Ends within a day',
};

/** The state of a transfer that a webhook names and Invo has no status of, such as a send between players. */
export const NO_STATUS = 'Invo reports no status';

/** What the attention filter shows. */
export const NEEDS_PERSON =
  'Transfers that a webhook named and Sharebook never read, and those in a state Invo’s documentation doesn’t name.';

const IDS_NAMED = 20;

/** Shown when nothing waits to be collected, although money could arrive unseen. */
export function formatNoClaimWebhook(ids: readonly string[]): string {
  const named = ids.length > IDS_NAMED ? [...ids.slice(0, IDS_NAMED), `${ids.length - IDS_NAMED} others`] : ids;
  return `Sharebook received no transfer.claim_pending webhook for ${new Intl.ListFormat('en').format(named)}. Check the webhook in Invo’s console.`;
}

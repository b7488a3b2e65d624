import {
  type GuardianState,
  isBackWithSender,
  PENDING_CLAIM,
  parseGuardianState,
  parseVerificationState,
  type TransferFilter,
  type VerificationState,
} from './rules/transfer-state.ts';

type Tone = 'good' | 'wait' | 'bad' | 'busy' | 'quiet';

export interface StateText {
  label: string;
  tone: Tone;
  sentence: string;
}

/** Every state of a transfer's verification (document 3). Coins are back only when the transfer was refunded or the wallet shows it. */
const STATE_TEXT: Record<VerificationState, StateText> = {
  awaiting: {
    label: 'Awaiting approval',
    tone: 'wait',
    sentence: 'The coins are reserved, and nothing has moved. The sender has to approve.',
  },
  approved: { label: 'Approved', tone: 'busy', sentence: 'The sender approved it. It may still have to be collected.' },
  completed: { label: 'Collected', tone: 'good', sentence: 'The receiver collected it.' },
  expired: { label: 'Expired', tone: 'quiet', sentence: 'Its window ended. The coins go back to the sender.' },
  failed: { label: 'Failed', tone: 'bad', sentence: 'It failed. The coins go back to the sender.' },
};

/**
 * The words of a transfer's state and status with the webhooks about it; a state the documents don't name is shown as Invo wrote it, and nothing
 * follows from it.
 */
export function transferStateText(
  state: string | null,
  status: string | null,
  events: Parameters<typeof isBackWithSender>[1] = [],
): StateText {
  const known = parseVerificationState(state);
  if (known !== null && known !== 'completed' && isBackWithSender(status, events))
    return { label: 'Returned', tone: 'quiet', sentence: 'It wasn’t collected. The coins are back with the sender.' };
  if (known === 'approved' && status === PENDING_CLAIM)
    return { label: 'Waiting to be collected', tone: 'wait', sentence: 'The sender approved it. The receiver hasn’t collected it yet.' };
  if (known !== null) return STATE_TEXT[known];
  if (state === null) return { label: 'Not reported', tone: 'quiet', sentence: 'Invo’s answer has no verification state.' };
  return { label: state, tone: 'quiet', sentence: 'Invo reports a state its documentation doesn’t name.' };
}

const GUARDIAN_TEXT: Record<GuardianState, StateText> = {
  pending: { label: 'Guardian asked', tone: 'wait', sentence: 'A guardian has been asked and hasn’t answered.' },
  approved: { label: 'Guardian agreed', tone: 'good', sentence: 'The guardian agreed. The sender still has to approve.' },
  rejected: { label: 'Guardian declined', tone: 'bad', sentence: 'The guardian declined. The transaction can’t continue.' },
  expired: {
    label: 'Guardian didn’t answer',
    tone: 'bad',
    sentence: 'The guardian didn’t answer in time. The transaction can’t continue.',
  },
};

/** The words of a guardian's answer; one the documents don't name is shown as Invo wrote it. */
export function guardianText(state: string | null): StateText {
  const known = parseGuardianState(state);
  if (known !== null) return GUARDIAN_TEXT[known];
  if (state === null) return { label: 'Not reported', tone: 'quiet', sentence: 'Invo’s answer has no state.' };
  return { label: state, tone: 'quiet', sentence: 'Invo reports a state its documentation doesn’t name.' };
}

/** Why the list of transfers may be incomplete. */
export const TRANSFERS_KNOWN = 'Invo doesn’t list transfers. This list has transfers from Sharebook’s reads and webhooks.';

/** What each filter of the list is called. */
export const TRANSFER_FILTER_LABELS: Record<TransferFilter, string> = {
  needs_person: 'Needs a person',
  reserved: 'Reserved, not approved',
  ends_soon: 'Ends within a day',
};

/** What the filter for people has. */
export const NEEDS_PERSON =
  'Transfers that a webhook named and Sharebook never read, and those in a state Invo’s documentation doesn’t name.';

const IDS_NAMED = 20;

/** When nothing waits to be collected, and yet money could arrive unseen. */
export function formatNoClaimWebhook(ids: readonly string[]): string {
  const named = ids.length > IDS_NAMED ? [...ids.slice(0, IDS_NAMED), `${ids.length - IDS_NAMED} others`] : ids;
  return `Sharebook received no transfer.claim_pending webhook for ${new Intl.ListFormat('en').format(named)}. Check the webhook in Invo’s console.`;
}

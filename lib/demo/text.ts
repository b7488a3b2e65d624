/** What the demo's preparer writes about an item of the close, by its key. */
const NOTES: Readonly<Record<string, string>> = {
  warnings: 'Checked against Invo’s report. Nothing to correct.',
  movers: 'Checked against the subscriptions sold and refunded in the month.',
  first_payments: 'Contracts and payment details checked before the first payment.',
  base_mismatch: 'Held. Invo was asked which base applies.',
  open_refunds: 'Held until Invo reports the reversal.',
  coarse: 'Compared with the refunds of the period.',
  pinned_exact: 'Only what was left is deducted.',
  changed_details: 'Confirmed with the recipient in the game.',
  identity_offset: 'Kept apart. Each account is paid by its own balance.',
};

/** The note of the demo's preparer on an item of the close. */
export function noteOf(key: string): string {
  return NOTES[key] ?? 'Checked. Nothing to correct.';
}

/** What the demo's preparer found out about renewals without attribution. */
export const FINDING = 'Raised with Invo. The recipients are paid when the answer names them.';

/** Why payment details are proposed that wait for a second person. */
export const DETAIL_REASONS = {
  change: 'The recipient wrote from a new email and asked for another PayPal account',
  first: 'From the signed contract',
};

/** Why the demo's preparer holds the payments of a recipient for a while, and why they are released. */
export const HOLD_NOTES = {
  placed: 'The name at PayPal differs from the contract',
  released: 'The recipient sent proof of the new name',
};

/** The reference that the demo bank gives a file. */
export function formatUpload(batchNo: number): string {
  return `Upload ${String(batchNo).padStart(4, '0')}`;
}

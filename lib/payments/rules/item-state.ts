/** The states of a payment. They follow from its re-issue, its file and what reports state, see `derivedState`. */
export const ITEM_STATES = [
  /** A re-issue that waits for a second person. */
  'proposed',
  /** A re-issue that was withdrawn or declined. */
  'withdrawn',
  /** In no file. */
  'waiting',
  /** In a file that wasn't handed over. */
  'in_file',
  /** Its file was handed over; no report names it. */
  'sent',
  'pending',
  'paid',
  'failed',
  'returned',
  /** Its file was cancelled; another payment replaces it. */
  'cancelled',
  /** It failed or was returned, and another payment replaces it. */
  'reissued',
  /** It failed or was returned, and is part of a later run. */
  'to_balance',
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** A run is paid once none of its payments is in one of these states. What failed or was returned is due in the next run. */
export const OPEN_STATES = ['proposed', 'waiting', 'in_file', 'sent', 'pending'] as const satisfies readonly ItemState[];

/** Another payment replaces it, or it isn't one yet: the payments of a run are the others. */
export const REPLACED_STATES = ['proposed', 'withdrawn', 'cancelled', 'reissued'] as const satisfies readonly ItemState[];

/** A payment of an earlier run that failed or was returned, as a later run pays it again. */
export interface ReturnedItem {
  runNo: number;
  itemNo: number;
  recipientId: number;
  amount_usd: string;
}

/** Whether a re-issue of a payment can be proposed and confirmed: it failed, came back or enters no file since its payment details changed, and no later run pays it. */
export function isReissuable(payment: { state: ItemState; hasOtherDetails: boolean; returnedInRunNo: number | null }): boolean {
  const { state, hasOtherDetails, returnedInRunNo } = payment;
  return returnedInRunNo === null && (state === 'failed' || state === 'returned' || hasOtherDetails);
}

import type { SubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';

/** The subscription with its player, as the page draws it. */
export type SubscriptionAnswered = Extract<SubscriptionDetail['subscription'], { kind: 'live' }>['value'];
/** One page of cycles with the share and the totals. */
export type CyclesReport = Extract<SubscriptionDetail['cycles'], { kind: 'live' }>['value'];
/** One cycle of it, in Invo's names. */
export type CycleRow = CyclesReport['periods'][number];

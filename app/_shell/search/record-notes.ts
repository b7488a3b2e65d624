import { showControls } from '#app/_ui/figures/format.ts';
import type { Hit } from '#db/search/reads.ts';
import { BOOK_LABELS, orderStatusText } from '#lib/orders/text.ts';
import { transferStateText } from '#lib/transfers/text.ts';

// Nothing else is known about it.
const FROM_WEBHOOK = 'from a webhook';

/** What a match says beside an order: its book and its status as it was read. */
export function orderNote({ book, status }: Pick<Extract<Hit, { kind: 'order' }>, 'book' | 'status'>): string {
  return book === null ? FROM_WEBHOOK : `${BOOK_LABELS[book].toLowerCase()} · ${showControls(orderStatusText(status, book).label)}`;
}

/** What a match says beside a transfer: its state as it was read. */
export function transferNote({ isRead, state }: Pick<Extract<Hit, { kind: 'transfer' }>, 'isRead' | 'state'>): string {
  return isRead ? showControls(transferStateText(state, null).label) : FROM_WEBHOOK;
}

import { ADDITIVE_TOTALS, type Totals } from '../evidence.ts';
import { type JoinedTotals, writeReasons } from '../totals.ts';
import type { CheckBook } from './check.ts';

/**
 * Holds the sums over all slices against Invo's own totals for the whole window, to the last digit.
 * The number of recipients does not add over slices: it is counted from the lines, where Invo gave one figure for the whole window.
 */
export function proveControl(book: CheckBook, control: JoinedTotals, slices: JoinedTotals, recipientCount: number): void {
  for (const [name, kind] of Object.entries(ADDITIVE_TOTALS)) {
    const [expected, actual] = [control[name as keyof Totals], slices[name as keyof Totals]];
    if (kind === 'money') book.equalMoney(`control_${name}`, name, String(expected), String(actual));
    else book.equalCount(`control_${name}`, name, Number(expected), Number(actual));
  }
  book.equalText(
    'control_unattributed_reasons',
    'unattributed_reasons',
    writeReasons(control.unattributed_reasons),
    writeReasons(slices.unattributed_reasons),
  );
  if (control.recipient_count !== null)
    book.equalCount('control_recipient_count', 'recipient_count', control.recipient_count, recipientCount);
}

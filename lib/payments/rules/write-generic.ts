import { type SheetColumn, writeHeader, writeRow } from '#lib/core/csv.ts';
import type { GenericSender, OtherAccount, PaymentFile } from './payment.ts';

const COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'run_id', label: 'Run ID', kind: 'count' },
  { key: 'window_start', label: 'Window start', kind: 'instant' },
  { key: 'window_end', label: 'Window end', kind: 'instant' },
  { key: 'payment_reference', label: 'Payment reference', kind: 'text' },
  { key: 'recipient_player_id', label: 'Recipient', kind: 'text' },
  { key: 'holder_name', label: 'Account holder', kind: 'text' },
  { key: 'method', label: 'Method', kind: 'text' },
  { key: 'payment_address', label: 'Payment address', kind: 'text' },
  { key: 'country', label: 'Country', kind: 'text' },
  { key: 'amount_usd', label: 'Amount in USD', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'execution_date', label: 'Execution date', kind: 'text' },
  { key: 'note', label: 'Note', kind: 'text' },
];

/** A list of payments that people make by hand, with a header. Text that a spreadsheet could take for a formula gets an apostrophe, as in every sheet. */
export function writeGeneric({ batch, items }: PaymentFile<GenericSender, OtherAccount>): string {
  const rows = items.map((item) =>
    writeRow(COLUMNS, {
      game: batch.game,
      environment: batch.environment,
      run_id: batch.runId,
      window_start: batch.window.start,
      window_end: batch.window.end,
      payment_reference: item.reference,
      recipient_player_id: item.recipientId,
      holder_name: item.holderName,
      method: item.account.method,
      payment_address: item.account.paymentAddress,
      country: item.account.country,
      amount_usd: item.amount_usd,
      currency: item.currency,
      amount: item.amount,
      execution_date: batch.executionDate,
      note: batch.note,
    }),
  );
  return writeHeader(COLUMNS) + rows.join('');
}

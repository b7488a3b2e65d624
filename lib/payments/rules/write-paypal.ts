import { writeRecord } from '#lib/core/csv.ts';
import { writeBankLetters } from './bank-letters.ts';
import type { PaymentFile, PaypalAccount, PaypalSender } from './payment.ts';

/**
 * PayPal Payouts Web: no header, one row a payment: receiver, amount with the sender's decimal sign, currency, reference as Customer ID, note, wallet. PayPal
 * documents no check against a second upload.
 */
export function writePaypalWeb({ batch, sender, items }: PaymentFile<PaypalSender, PaypalAccount>): string {
  const { text: note } = writeBankLetters(batch.note, 'unicode');
  const rows = items.map(({ account, amount, currency, reference }) =>
    writeRecord([account.receiver, amount.replace('.', sender.decimalSign), currency, reference, note, 'PAYPAL']),
  );
  return rows.join('');
}

/** The body of a request to PayPal's Payouts API. PayPal refuses a `sender_batch_id` again for 30 days. */
export function writePaypalApi({ batch, sender, items }: PaymentFile<PaypalSender, PaypalAccount>): string {
  const { text: note } = writeBankLetters(batch.note, 'unicode');
  const body = {
    sender_batch_header: {
      sender_batch_id: batch.batchId,
      ...(sender.emailSubject === null ? {} : { email_subject: sender.emailSubject }),
    },
    items: items.map(({ account, amount, currency, reference }) => ({
      recipient_type: account.receiverKind === 'email' ? 'EMAIL' : 'PAYPAL_ID',
      amount: { value: amount, currency },
      receiver: account.receiver,
      note,
      sender_item_id: reference,
      recipient_wallet: 'PAYPAL',
    })),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

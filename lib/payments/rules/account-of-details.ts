import type { TypedDetails } from '#lib/payees/rules/details.ts';
import { isIban } from './bank-accounts.ts';
import type { PaymentAccount, PaymentMethod, PostalAddress } from './payment.ts';

/** PayPal's ID of an account; anything else that was checked at entry is an email. */
const PAYER_ID = /^[A-Z0-9]{13}$/;

/** The account of payment details, from their opened entries. They were checked when they were proposed, and a file checks them again. */
export function accountOfDetails(method: PaymentMethod, entries: TypedDetails): PaymentAccount {
  switch (method) {
    case 'paypal': {
      const receiver = entries.email ?? '';
      return { method, receiver, receiverKind: PAYER_ID.test(receiver) ? 'payer_id' : 'email' };
    }
    case 'wise':
      return {
        method,
        wiseRecipientId: entries.wise_recipient_id ?? null,
        email: entries.email ?? null,
        detail: null,
        payeeCurrency: entries.currency ?? 'USD',
      };
    case 'sepa':
      return { method, iban: entries.iban ?? '', bic: entries.bic ?? null, address: addressOf(entries) };
    case 'wire_usd': {
      const number = entries.account_number ?? '';
      return {
        method,
        account: isIban(number) ? { iban: number } : { accountNumber: number },
        bic: entries.bic ?? null,
        address: addressOf(entries),
      };
    }
    case 'ach':
      return {
        method,
        routingNumber: entries.routing_number ?? '',
        accountNumber: entries.account_number ?? '',
        accountKind: entries.account_type === 'savings' ? 'savings' : 'checking',
      };
    case 'other':
      return { method, paymentAddress: entries.address ?? '', country: entries.country ?? null };
  }
}

function addressOf({ city, postal_code, country }: TypedDetails): PostalAddress | null {
  return city === undefined || country === undefined ? null : { postCode: postal_code ?? null, town: city, country };
}

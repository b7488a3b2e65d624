import { compareMoney, sumMoney } from '#lib/core/money.ts';
import {
  METHOD_FORMATS,
  PAYMENT_METHODS,
  type PaymentFormat,
  type PaymentItem,
  type PaymentMethod,
  type PaymentSender,
} from './payment.ts';

/** What one file of a layout can hold at most. null: no limit. Amounts in the file's currency. */
export interface FileLimits {
  items_max: number | null;
  amount_max: string | null;
  total_max: string | null;
}

/** Ten digits of an ACH entry, in cents. */
const ACH_AMOUNT_MAX = '99999999.99';

/** Twelve digits of an ACH total, in cents. */
const ACH_TOTAL_MAX = '9999999999.99';

/** The limit of the SEPA schemes. */
const SEPA_AMOUNT_MAX = '999999999.99';

/** Eighteen digits of an amount of ISO 20022, two of them decimals. */
const ISO_AMOUNT_MAX = '9999999999999999.99';

/** The limits of a layout: its standard's, or lower ones that the partner's bank sets. */
export function listFileLimits(format: PaymentFormat, method: PaymentMethod, sender: PaymentSender): FileLimits {
  if (format === 'paypal_web') return { items_max: 5_000, amount_max: null, total_max: null };
  if (format === 'paypal_api') return { items_max: 15_000, amount_max: null, total_max: null };
  if (format === 'wise') return { items_max: 1_000, amount_max: null, total_max: null };
  if (sender.family === 'bank')
    return { items_max: sender.itemsMax, amount_max: method === 'sepa' ? SEPA_AMOUNT_MAX : ISO_AMOUNT_MAX, total_max: ISO_AMOUNT_MAX };
  if (sender.family !== 'ach') return { items_max: null, amount_max: null, total_max: null };
  // The debit of a balanced file is an entry too, and its amount has ten digits as any other.
  const isBalanced = sender.offset !== null;
  return {
    items_max: sender.entriesMax - (isBalanced ? 1 : 0),
    amount_max: ACH_AMOUNT_MAX,
    total_max: isBalanced ? ACH_AMOUNT_MAX : ACH_TOTAL_MAX,
  };
}

/**
 * Cuts payments into consecutive parts, one per file, each as full as the limits allow. Input in the order of item numbers; a payment above the total alone gets
 * a part of its own, which `listPaymentBlockers` refuses.
 */
export function splitItems<Item extends Pick<PaymentItem, 'amount'>>(
  items: readonly Item[],
  { items_max, total_max }: Pick<FileLimits, 'items_max' | 'total_max'>,
): Item[][] {
  const parts: Item[][] = [];
  let [part, total]: [Item[], string] = [[], '0.00'];
  for (const item of items) {
    const next = sumMoney([total, item.amount]);
    const isFull = (items_max !== null && part.length >= items_max) || (total_max !== null && compareMoney(next, total_max) > 0);
    if (isFull && part.length > 0) {
      parts.push(part);
      [part, total] = [[item], item.amount];
    } else {
      part.push(item);
      total = next;
    }
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** Payments that one layout carries together, in the order of item numbers. */
export interface PaymentGroup {
  method: PaymentMethod;
  format: PaymentFormat;
  items: PaymentItem[];
}

/**
 * Groups payments by the files that carry them: by method, PayPal's by recipient type as well, and ACH's by layout: PPD pays persons, CCD companies. Where a
 * method has several layouts, `chosen` names one; without it, the first. Each payment is in exactly one group.
 */
export function groupItems(items: readonly PaymentItem[], chosen: Partial<Record<PaymentMethod, PaymentFormat>> = {}): PaymentGroup[] {
  const groups = Map.groupBy(items, ({ account, holderKind }) => {
    if (account.method === 'paypal') return `paypal ${account.receiverKind}`;
    return account.method === 'ach' ? `ach ${holderKind}` : account.method;
  });
  const found = [...groups.values()].map((group): PaymentGroup => {
    const [{ account, holderKind }] = group as [PaymentItem, ...PaymentItem[]];
    const { method } = account;
    const format =
      method === 'ach' ? (holderKind === 'person' ? 'nacha_ppd' : 'nacha_ccd') : (chosen[method] ?? METHOD_FORMATS[method][0] ?? 'generic');
    return { method, format, items: group };
  });
  return found.toSorted((one, other) => PAYMENT_METHODS.indexOf(one.method) - PAYMENT_METHODS.indexOf(other.method));
}

import 'server-only';
import type { ServedList } from './_rows/define-list.ts';
import { MONTH_LISTS } from './_rows/month-lists.ts';
import { actionsList } from './actions/action-table.ts';
import { exceptionsList } from './exceptions/exception-table.ts';
import { runLinesList, statementsList } from './payouts/_run/run-lists.ts';
import { paymentsList } from './payouts/[runNo]/payments/payment-list.ts';
import { payeesList } from './payouts/payees/payee-table.ts';
import { allRecipientsList } from './recipients/all-recipients-list.ts';
import { refundsList } from './refunds/refund-table.ts';
import { deliveriesList } from './webhooks/delivery-table.ts';

/** A list whose rows are requested in parts, and exported, without its page. */
type RoutedList = Pick<ServedList<never>, 'right' | 'respond' | 'exportRows'>;

/** Every long list, by its name in the address. */
const LISTS: Record<string, RoutedList> = {
  ...MONTH_LISTS,
  'all-recipients': allRecipientsList,
  refunds: refundsList,
  actions: actionsList,
  deliveries: deliveriesList,
  exceptions: exceptionsList,
  'run-lines': runLinesList,
  statements: statementsList,
  payees: payeesList,
  payments: paymentsList,
};

/** The list of a name in an address; null: none. */
export function findServedList(name: string): RoutedList | null {
  return Object.hasOwn(LISTS, name) ? (LISTS[name] ?? null) : null;
}

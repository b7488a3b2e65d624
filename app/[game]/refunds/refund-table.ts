import type { FlagCell, TableRow, TableSpec, TableTotal } from '#app/_ui/data-table/table-words.ts';
import { formatAge, formatDay, formatInstant, formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { RowTotal } from '#db/kit/paging.ts';
import type { RefundRow } from '#db/refunds/reads/list-refunds.ts';
import { monthOf } from '#lib/core/month.ts';
import { REFUND_STATE_TEXTS } from '#lib/refunds/text.ts';

/** The register of all refunds. `mayAsk`: the person has refunds of their own to see through; `mayTake`: they take files. */
export function refundTable(slug: string, { mayAsk, mayTake }: { mayAsk: boolean; mayTake: boolean }): TableSpec {
  return {
    noun: ['refund', 'refunds'],
    columns: [
      { key: 'refund_id', label: 'Refund', shape: 'link', width: 100, isSortable: true },
      { key: 'state', label: 'State', shape: 'flags', width: 170 },
      { key: 'amount_usd', label: 'Asked for', shape: 'money', width: 90, isSortable: true },
      { key: 'landed_usd', label: 'Refunded', shape: 'money-strong', width: 92 },
      { key: 'item_name', label: 'Item', shape: 'text', width: 130, isOptional: true },
      { key: 'period_id', label: 'Period', shape: 'link', width: 116, isSortable: true },
      { key: 'subscription_id', label: 'Subscription', shape: 'link', width: 230, isOptional: true },
      { key: 'requested_by', label: 'Asked by', shape: 'text', width: 112 },
      { key: 'owner', label: 'Owner', shape: 'text', width: 112 },
      { key: 'age', label: 'Asked', shape: 'text', width: 124 },
      { key: 'ended_at', label: 'Ended', shape: 'text', width: 160, isOptional: true },
      { key: 'reversal', label: 'Reversal', shape: 'text', width: 176 },
    ],
    chips: [
      { key: 'all', label: 'All' },
      { key: 'for_people', label: 'Need a person' },
      { key: 'under_way', label: 'Under way' },
      { key: 'landed', label: 'Refunded' },
      { key: 'not_carried_out', label: 'Not carried out' },
      ...(mayAsk ? [{ key: 'mine', label: 'Mine' }] : []),
    ],
    rowsHref: `/${slug}/refunds/rows`,
    ...(mayTake ? { fileHref: `/${slug}/refunds/export`, isOnlyFile: true } : {}),
    defaultSort: { key: 'refund_id', dir: 'desc' },
    findLabel: 'Filter by id, key, item or colleague',
    ends: { first: 'Newest', last: 'Oldest' },
    isCompact: true,
  };
}

/** One refund as the register shows it, `now` by the clock of the store. */
export function refundTableRow(slug: string, row: RefundRow, { now, timeZone }: { now: string; timeZone: string }): TableRow {
  const href = `/${slug}/refunds/${row.refund_id}`;
  const { tone, label } = REFUND_STATE_TEXTS[row.state];
  const state: FlagCell[] = [{ tone, word: label }];
  return {
    id: String(row.refund_id),
    href,
    cells: {
      refund_id: { text: `Refund ${row.refund_id}`, href },
      state,
      amount_usd: row.amount_usd,
      item_name: row.item_name,
      period_id: { text: String(row.period_id), href: `/${slug}/periods/${row.period_id}` },
      subscription_id: { text: row.subscription_id, href: `/${slug}/subscriptions/${row.subscription_id}` },
      requested_by: row.requested_by_name,
      owner: row.owner_name,
      age: formatAge(row.requested_at, now),
      // Not ended, or nothing given back: there is no figure, which is another thing than one not recorded.
      ...(row.ended_at === null ? {} : { ended_at: formatInstant(row.ended_at, 'UTC') }),
      ...(row.state === 'landed' ? { landed_usd: row.amount_usd } : {}),
      reversal: sayReversal(row, timeZone),
    },
  };
}

/** The totals row: all that the filter leaves, and what of it was refunded. */
export function refundTableTotal({ count, sums }: RowTotal): TableTotal {
  return { count, sums };
}

function sayReversal({ state, share, reversal_seen_at, refunded_at, ended_at }: RefundRow, timeZone: string): string {
  if (state !== 'landed') return '';
  if (share === 'not_attributed') return 'none expected';
  if (reversal_seen_at !== null) return `seen ${formatDay(reversal_seen_at)}`;
  if (share === 'unknown') return 'not known';
  const at = refunded_at ?? ended_at;
  return at === null ? 'waiting for a pull' : `waiting for ${formatMonth(monthOf(at, timeZone), 'short')}`;
}

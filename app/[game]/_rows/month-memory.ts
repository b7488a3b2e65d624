import {
  inCodePointOrder,
  type OrderKey,
  orderPlaces,
  scaleAmounts,
  sortableInstants,
  sortableTexts,
} from '#app/_ui/data-table/memory-order.ts';
import type { MemoryList } from '#app/_ui/data-table/memory-rows.ts';
import type { TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import {
  type Addresses,
  type ComparisonColumns,
  lineAt,
  type RenewalFacts,
  type ReversalFacts,
  recipientAt,
  SHEET_FILTERS,
  type TableColumns,
} from '#lib/evidence/rules/table-answer.ts';
import { renewalTableRow, reversalTableRow } from './line-tables.ts';
import { type MonthTable, withNegated } from './month-table.ts';
import { recipientTableRow } from './recipient-table.ts';

/** The answers a table in memory is made of. */
export interface SheetAnswers {
  table: TableColumns;
  /** Of the recipients; null: a sheet of lines. */
  comparison: ComparisonColumns | null;
  /** null: not needed by this sheet. */
  addresses: Addresses | null;
  /** The sums over all rows, as stored. */
  whole: TableTotal;
}

/** Makes the list of a sheet from its answers. Orders, filters and sums are those of the lists read from the database. */
export function listInMemory(sheet: SheetName, table: MonthTable, answers: SheetAnswers): MemoryList {
  const parts =
    sheet === 'recipients'
      ? recipientParts(table, answers)
      : sheet === 'renewals'
        ? renewalParts(table, answers)
        : reversalParts(table, answers);
  const { columns } = answers.table;
  const count = columns['recipient_player_id']?.length ?? 0;
  const orders = new Map<string, Uint32Array>();
  return {
    count,
    row: parts.row,
    order: (sort) => {
      const known = orders.get(sort) ?? orderPlaces(count, parts.keys(sort));
      orders.set(sort, known);
      return known;
    },
    filter: (find, chip) => {
      const tests = [find === '' ? null : parts.search(find), chip === 'all' ? null : parts.keeps(chip)].filter((each) => each !== null);
      return tests.length === 0 ? null : (place) => tests.every((holds) => holds(place));
    },
    total: (places) => (places === null ? answers.whole : parts.total(places)),
  };
}

type Test = (place: number) => boolean;

interface SheetParts {
  row: MemoryList['row'];
  keys(sort: string): OrderKey[];
  search(find: string): Test;
  keeps(chip: string): Test;
  total(places: Uint32Array): TableTotal;
}

function recipientParts(table: MonthTable, { table: own, comparison, addresses }: SheetAnswers): SheetParts {
  const beside = comparison ?? { months: [], hasPrevious: false, nets: [], isFirstTime: [] };
  const facts = (place: number) => recipientAt(own, beside, addresses, place);
  const ids = numbersOf(own, 'recipient_player_id');
  const nets = textsOf(own, 'net_attributed_usd');
  const previous = beside.nets.at(-1) ?? [];
  const change = (place: number): string => subtractMoney(nets[place] ?? '0', previous[place] ?? '0');
  const names = ids.map((id, place) => own.columns['recipient_name']?.[place] ?? addresses?.[id]?.name ?? null) as (string | null)[];
  const emails = ids.map((id) => addresses?.[id]?.email ?? null);
  return {
    row: (place) => recipientTableRow(table, facts(place)),
    keys: (sort) => {
      if (sort === 'recipient_player_id') return [{ values: ids }];
      if (sort === 'recipient_name') return [{ values: sortableTexts(names) }, { values: ids }];
      const largest: OrderKey = { values: ids, isReversed: true };
      if (sort === 'change') return [{ values: scaleAmounts(ids.map((_, place) => change(place).replace('-', ''))) }, largest];
      if (sort.endsWith('_count')) return [{ values: numbersOf(own, sort) }, largest];
      return [{ values: scaleAmounts(textsOf(own, sort)) }, largest];
    },
    search: (find) => {
      const part = find.toLowerCase();
      const isId = /^\d{1,18}$/.test(find);
      return (place) =>
        includes(names[place], part) ||
        (table.canSeeEmails && includes(emails[place], part)) ||
        (isId && String(ids[place]).startsWith(find));
    },
    keeps: (chip) => {
      if (chip === 'first') return (place) => beside.isFirstTime[place] === true;
      if (chip === 'changed') return (place) => table.hasPrevious && !/^-?0\.0+$/.test(change(place));
      return keptBy('recipients', chip, facts);
    },
    total: (places) =>
      withNegated(
        {
          count: places.length,
          sums: {
            renewal_count: String(sumCounts(numbersOf(own, 'renewal_count'), places)),
            ...sumColumns(own, ['gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd'], places),
            previous_net_usd: sumMoney([...places].map((place) => previous[place] ?? '0.00')),
          },
        },
        'reversed_attributed_usd',
      ),
  };
}

function renewalParts(table: MonthTable, { table: own, addresses }: SheetAnswers): SheetParts {
  const facts = (place: number) => lineAt<RenewalFacts>(own, addresses, place);
  const recipients = numbersOf(own, 'recipient_player_id');
  const period: OrderKey = { values: numbersOf(own, 'period_id') };
  const paidAt = (): OrderKey => ({ values: sortableInstants(textsOf(own, 'paid_at')) });
  return {
    row: (place) => renewalTableRow(table, facts(place)),
    keys: (sort) => {
      if (sort === 'recipient_player_id') return [{ values: recipients }, paidAt(), period];
      if (sort === 'paid_at') return [paidAt(), period];
      if (sort === 'period_id') return [period];
      if (sort === 'subscription_id' || sort === 'item_name') return [textKey(own, sort), period];
      return [{ values: scaleAmounts(textsOf(own, sort)) }, period];
    },
    search: (find) => {
      const [subscriptions, items, names] = [textsOf(own, 'subscription_id'), textsOf(own, 'item_id'), textsOf(own, 'item_name')];
      const part = find.toLowerCase();
      const byId = idSearch(own, find);
      return (place) =>
        subscriptions[place]?.startsWith(find) === true || items[place] === find || includes(names[place], part) || byId(place);
    },
    keeps: (chip) => keptBy('renewals', chip, facts),
    total: (places) => ({
      count: places.length,
      sums: sumColumns(own, ['amount_usd', 'invo_fee_usd', 'partner_revenue_settled_usd', 'attributed_amount_usd'], places),
    }),
  };
}

function reversalParts(table: MonthTable, { table: own, addresses }: SheetAnswers): SheetParts {
  const facts = (place: number) => lineAt<ReversalFacts>(own, addresses, place);
  const last = (): OrderKey[] => [
    { values: sortableInstants(textsOf(own, 'refunded_at')) },
    { values: numbersOf(own, 'period_id') },
    { values: numbersOf(own, 'eventNo').map((event) => event ?? 0) },
  ];
  return {
    row: (place) => reversalTableRow(table, facts(place)),
    keys: (sort) => {
      if (sort === 'refunded_at') return last();
      if (sort === 'recipient_player_id' || sort === 'period_id') return [{ values: numbersOf(own, sort) }, ...last()];
      if (sort === 'paid_at') return [{ values: sortableInstants(textsOf(own, 'paid_at')) }, ...last()];
      if (sort === 'subscription_id') return [textKey(own, sort), ...last()];
      return [{ values: scaleAmounts(textsOf(own, sort)) }, ...last()];
    },
    search: (find) => {
      const subscriptions = textsOf(own, 'subscription_id');
      const byId = idSearch(own, find);
      return (place) => subscriptions[place]?.startsWith(find) === true || byId(place);
    },
    keeps: (chip) => keptBy('reversals', chip, facts),
    total: (places) => {
      const sums = sumColumns(own, ['refunded_amount_usd', 'reversed_attributed_usd', 'partner_revenue_reversed_usd'], places);
      return withNegated({ count: places.length, sums }, 'reversed_attributed_usd', 'partner_revenue_reversed_usd');
    },
  };
}

function keptBy<Facts>(sheet: SheetName, chip: string, facts: (place: number) => Facts): Test {
  // Each filter of a sheet reads the facts of that sheet.
  const keeps = SHEET_FILTERS[sheet][chip] as ((row: Facts) => boolean) | undefined;
  if (!keeps) throw new Error(`the ${sheet} have no filter ${chip}`);
  return (place) => keeps(facts(place));
}

function idSearch(own: TableColumns, find: string): Test {
  if (!/^\d{1,15}$/.test(find)) return () => false;
  const id = Number(find);
  const [periods, recipients] = [numbersOf(own, 'period_id'), numbersOf(own, 'recipient_player_id')];
  return (place) => periods[place] === id || recipients[place] === id;
}

function textKey(own: TableColumns, column: string): OrderKey {
  return { values: textsOf(own, column).map((text) => inCodePointOrder((text ?? '').slice(0, 200))) };
}

function sumColumns(own: TableColumns, columns: string[], places: Uint32Array): Record<string, string> {
  return Object.fromEntries(
    columns.map((column) => {
      const amounts = textsOf(own, column);
      return [column, sumMoney([...places].flatMap((place) => amounts[place] ?? []))];
    }),
  );
}

function sumCounts(counts: number[], places: Uint32Array): number {
  return places.reduce((sum, place) => sum + (counts[place] ?? 0), 0);
}

function includes(text: string | null | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part) === true;
}

// Both are columns of the answer, whose types its rules state.
function numbersOf({ columns }: TableColumns, name: string): number[] {
  return (columns[name] ?? []) as number[];
}

function textsOf({ columns }: TableColumns, name: string): (string | null)[] {
  return (columns[name] ?? []) as (string | null)[];
}

/** The stored sums of a sheet as the totals row shows them. */
export function wholeTotal(sheet: SheetName, count: number, sums: Record<string, string>, previousNet: string | null): TableTotal {
  if (sheet === 'renewals') return { count, sums };
  if (sheet === 'reversals') return withNegated({ count, sums }, 'reversed_attributed_usd', 'partner_revenue_reversed_usd');
  const all = { ...sums, ...(previousNet === null ? {} : { previous_net_usd: previousNet }) };
  return withNegated({ count, sums: all }, 'reversed_attributed_usd');
}

'use client';

import { type ReactElement, useMemo } from 'react';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { HeldList } from '#app/_ui/data-table/row-store.ts';
import type { TableTotal } from '#app/_ui/data-table/table-spec.ts';
import type { Addresses, Comparison, SheetName, TableColumns, TableOrders } from '#lib/evidence/rules/sheets.ts';
import { holdSheet, type MonthTable, partHref, type SheetParts } from './month-table.ts';

interface SheetTableProps extends Omit<DataTableProps, 'hold'> {
  sheet: SheetName;
  table: MonthTable;
  /** The sums over all rows, as stored. */
  whole: TableTotal;
}

/** A sheet of a complete month, held whole in the browser with the orders and chips that SQL found. A search is answered by the server. */
export function SheetTable({ sheet, table, whole, ...shown }: SheetTableProps): ReactElement {
  const { spec } = shown;
  const hold = useMemo(() => {
    const loadRows = onceDone(() => loadSheet(sheet, table));
    const loadOrders = onceDone(() => requestPart<TableOrders>(partHref(table, `${sheet}-orders`)));
    return async (isFileOrder: boolean): Promise<HeldList> => {
      const rows = await loadRows();
      // After the rows, and before anyone sorts.
      const loading = loadOrders();
      loading.catch(() => undefined);
      return holdSheet(sheet, table, spec, { ...rows, whole, orders: isFileOrder ? null : await loading });
    };
  }, [sheet, table, spec, whole]);
  return <DataTable {...shown} hold={hold} />;
}

/** Loads once for all callers; a failed attempt is not cached, or no retry could succeed. */
function onceDone<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | null = null;
  return async () => {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = null;
      throw error;
    }
  };
}

async function loadSheet(sheet: SheetName, table: MonthTable): Promise<Pick<SheetParts, 'table' | 'comparison' | 'addresses'>> {
  const requestAddresses = (): Promise<Addresses> => requestPart<Addresses>(partHref(table, 'addresses'));
  const isRecipients = sheet === 'recipients';
  const [own, comparison, all] = await Promise.all([
    requestPart<TableColumns>(partHref(table, sheet)),
    isRecipients ? requestPart<Comparison>(partHref(table, 'comparison')) : null,
    isRecipients ? requestAddresses() : null,
  ]);
  // Of lines, only a recipient whose name is an email is named by the addresses.
  const addresses = !isRecipients && Object.values(own.names).includes(null) ? await requestAddresses() : all;
  return { table: own, comparison, addresses };
}

/** Requests JSON, stored as a gzip file or plain. Throws an error whose message is shown. */
async function requestPart<Part>(href: string): Promise<Part> {
  const answer = await fetch(href).catch(() => {
    throw new Error('Couldn’t reach Sharebook. The rows on the screen are unchanged. Try again.');
  });
  if (answer.redirected || answer.status === 403) throw new Error('You’re signed out. Reload the page to sign in.');
  if (!answer.ok || answer.body === null) throw new Error('Couldn’t load the rows. Reload the page.');
  const isGzip = answer.headers.get('content-type') === 'application/gzip';
  const text = isGzip ? new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))) : answer;
  // Our own route writes it from the same types, by the rules of one version.
  return (await text.json()) as Part;
}

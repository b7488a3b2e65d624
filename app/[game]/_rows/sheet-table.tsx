'use client';

import { type ReactElement, useMemo } from 'react';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { MemoryList } from '#app/_ui/data-table/memory-rows.ts';
import type { TableTotal } from '#app/_ui/data-table/table-spec.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import type { Addresses, ComparisonColumns, TableColumns } from '#lib/evidence/rules/table-answer.ts';
import { listInMemory } from './month-memory.ts';
import { answerHref, type MonthTable } from './month-table.ts';

interface SheetTableProps extends Omit<DataTableProps, 'loadAll'> {
  sheet: SheetName;
  table: MonthTable;
  /** The sums over all rows, as stored. */
  whole: TableTotal;
}

/** A sheet of a complete month, held whole in the browser: order, search and filters need no request. */
export function SheetTable({ sheet, table, whole, ...shown }: SheetTableProps): ReactElement {
  const loadAll = useMemo(() => onceDone(() => loadSheet(sheet, table, whole)), [sheet, table, whole]);
  return <DataTable {...shown} loadAll={loadAll} />;
}

/** Loads once for everybody who asks; an attempt that failed is not kept, or no retry could succeed. */
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

async function loadSheet(sheet: SheetName, table: MonthTable, whole: TableTotal): Promise<MemoryList> {
  const requestAddresses = (): Promise<Addresses> => requestAnswer<Addresses>(answerHref(table, 'addresses'));
  const isRecipients = sheet === 'recipients';
  const [own, comparison, all] = await Promise.all([
    requestAnswer<TableColumns>(answerHref(table, sheet)),
    isRecipients ? requestAnswer<ComparisonColumns>(answerHref(table, 'comparison')) : null,
    isRecipients ? requestAddresses() : null,
  ]);
  // Of lines, only a recipient whose name is an email is named by the addresses.
  const addresses = !isRecipients && Object.values(own.names).includes(null) ? await requestAddresses() : all;
  return listInMemory(sheet, table, { table: own, comparison, addresses, whole });
}

/** Requests JSON, stored as a gzip file or plain. Throws an error whose message is shown. */
async function requestAnswer<Answer>(href: string): Promise<Answer> {
  const answer = await fetch(href).catch(() => {
    throw new Error('Couldn’t reach Sharebook. The rows on the screen are unchanged. Try again.');
  });
  if (answer.redirected || answer.status === 403) throw new Error('You’re signed out. Reload the page to sign in.');
  if (!answer.ok || answer.body === null) throw new Error('Couldn’t load the rows. Reload the page.');
  const isGzip = answer.headers.get('content-type') === 'application/gzip';
  const text = isGzip ? new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))) : answer;
  // Our own route writes it from the same types, by the rules of one version.
  return (await text.json()) as Answer;
}

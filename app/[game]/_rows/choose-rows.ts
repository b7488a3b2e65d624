import 'server-only';
import { db } from '#app/_server/wiring.ts';
import { isPrivateFind } from '#app/_ui/data-table/table-view.ts';
import { findMonthStatement, type MonthStatement } from '#db/evidence/reads/months/find-month-statement.ts';
import { RECIPIENT_CHIPS, recipientFilter } from '#db/evidence/reads/rows/recipient-rows-filter.ts';
import { RENEWAL_CHIPS, renewalFilter } from '#db/evidence/reads/rows/renewal-rows.ts';
import { REVERSAL_CHIPS, reversalFilter } from '#db/evidence/reads/rows/reversal-rows.ts';
import type { ChosenRows } from '#db/evidence/reads/sheets/stream-sheet.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { type RowRequest, readRowRequest } from './row-request.ts';

export type Chosen = { ok: true; only: ChosenRows | null } | { ok: false; sentence: string };

/** Reads which rows of a sheet an address asks for, in the words of the table on the screen; all of them when it names none. */
export async function chooseRows(game: GameRef, month: string, sheet: SheetName, params: URLSearchParams): Promise<Chosen> {
  const given: Record<string, string> = {};
  for (const name of ['find', 'chip', 'recipient']) if (params.get(name)) given[name] = params.get(name) ?? '';
  if (Object.keys(given).length === 0) return { ok: true, only: null };
  if (isPrivateFind(params.get('find') ?? ''))
    return { ok: false, sentence: 'An e-mail does not belong in an address: filter by name or player id.' };
  if (sheet === 'recipients' && given['recipient'])
    return { ok: false, sentence: 'One recipient of this sheet is found by its player id: use find instead of recipient.' };
  const statement = await findMonthStatement(db(), game, month);
  if (!statement) return { ok: true, only: null };
  const read = CONDITIONS[sheet](statement, new URLSearchParams({ ...given, sort: 'any', dir: 'asc' }));
  return typeof read === 'string' ? { ok: false, sentence: read } : { ok: true, only: { filter: given, condition: read } };
}

type Condition = ChosenRows['condition'] | string;

const ANY_ORDER = { any: [] };

const CONDITIONS: Record<SheetName, (statement: MonthStatement, params: URLSearchParams) => Condition> = {
  recipients: (statement, params) =>
    conditionOf(params, RECIPIENT_CHIPS, (request) =>
      recipientFilter(statement, { find: request.find, chip: request.chip, canSeeEmails: true }),
    ),
  renewals: (_, params) => conditionOf(params, RENEWAL_CHIPS, renewalFilter),
  reversals: ({ snapshot }, params) => conditionOf(params, REVERSAL_CHIPS, (request) => reversalFilter(snapshot, request)),
};

function conditionOf<Chip extends string>(
  params: URLSearchParams,
  chips: readonly Chip[],
  write: (request: RowRequest<Chip>) => ChosenRows['condition'],
): Condition {
  const read = readRowRequest(params, ANY_ORDER, chips);
  return read.ok ? write(read.request) : read.sentence;
}

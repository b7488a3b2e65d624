import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatInstant, showControls } from '#app/_ui/figures/format.ts';
import { formatAuditEntry } from '#lib/audit/text.ts';
import { exportExceptions } from '#lib/exceptions/export-exceptions.ts';
import { EXCEPTIONS, type ExceptionRow, listExceptions } from '#lib/exceptions/reads.ts';
import { type ExceptionPeriod, parsePeriod } from '#lib/exceptions/rules/exceptions.ts';
import { EXCEPTION_KIND_TEXT, formatException } from '#lib/exceptions/text.ts';
import { defineList, ordersAndChips, specOf } from '../_rows/define-list.ts';

interface ExceptionsSource {
  game: Game;
  period: ExceptionPeriod;
  mayExport: boolean;
}

/** The acts of a game outside the normal path. */
export const exceptionsList = defineList<ExceptionsSource>({
  ...ordersAndChips(EXCEPTIONS),
  right: 'audit.read',
  findSource: async ({ game }, params) => ({ game, period: parsePeriod(params.get('period'), game.timeZone), mayExport: false }),
  spec: exceptionTable,
  rows: async ({ game, period }, request) => {
    const { rows, ...rest } = await listExceptions(db(), { gameId: game.gameId, window: period.window }, request);
    return { rows: rows.map((row) => exceptionTableRow(row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }, params) => {
    const period = parsePeriod(params.get('period'), game.timeZone);
    const about = { period, filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportExceptions(downloads().db, game, about);
  },
});

function exceptionTable({ game: { slug }, period, mayExport }: ExceptionsSource): TableSpec {
  const address = (part: string): string => `/${slug}/lists/exceptions/${part}${period.text === '' ? '' : `?period=${period.text}`}`;
  return {
    ...specOf(EXCEPTIONS, { canSeeEmails: true, recipient: null }),
    rowsHref: address('rows'),
    ...(mayExport ? { fileHref: address('file'), isOnlyFile: true } : {}),
    // The file begins with the oldest.
    defaultSort: { key: 'at', dir: 'desc' },
    ends: { first: 'Newest', last: 'Oldest' },
  };
}

/** One act as the list shows it; it leads to what the audit has about the same subject. */
function exceptionTableRow({ audit_id, at, actor, act, subject, detail, kind }: ExceptionRow): TableRow {
  const href = `/audit?${new URLSearchParams({ subject })}`;
  const facts = formatAuditEntry({ act, subject, detail: typeof detail === 'string' ? parseDetail(detail) : {} }).facts.join(' ');
  return {
    id: String(audit_id),
    href,
    cells: {
      at: formatInstant(at, 'UTC'),
      kind: EXCEPTION_KIND_TEXT[kind],
      act: { text: showControls(formatException(act)), href, narrowNote: showControls(actor) },
      actor: showControls(actor),
      subject: showControls(subject),
      detail: showControls(facts),
    },
  };
}

/** The stored JSON of an entry's facts. */
function parseDetail(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

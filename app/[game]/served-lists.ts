import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { parseMonth } from '#lib/core/month.ts';
import type { Capability } from '#lib/core/roles.ts';
import { listCompleteMonths } from '#lib/evidence/reads/recipients.ts';
import { SHEETS, type SheetName } from '#lib/evidence/rules/sheets.ts';
import { type List, parseCount } from './_rows/define-list.ts';
import { findMonthSource, MONTH_LISTS } from './_rows/month-lists.ts';
import { loadRun } from './payouts/_run/load-run.ts';
import { runLinesList } from './payouts/_run/run-table.ts';
import { statementRights, statementsList } from './payouts/[runNo]/statements/statement-list.ts';
import { allRecipientsList } from './recipients/all-recipients-list.ts';
import { type RefundsSource, refundsList } from './refunds/refund-table.ts';
import { type DeliveriesSource, deliveriesList } from './webhooks/delivery-table.ts';

/** A list that the route of rows answers for. */
interface ServedList {
  /** What a person must be allowed to read. */
  right: Capability;
  respond(request: Request, reader: Reader): Promise<Response>;
}

/** Who reads a list, and of which game. */
export interface Reader {
  game: Game;
  person: Person;
}

function serve<Source, Chip extends string>(
  list: List<Source, Chip>,
  right: Capability,
  findSource: (reader: Reader, params: URLSearchParams) => Promise<Source | null>,
): ServedList {
  return { right, respond: (request, reader) => list.respond(request, (params) => findSource(reader, params)) };
}

function serveSheet(sheet: SheetName): ServedList {
  return serve(MONTH_LISTS[sheet], 'figures.read', async ({ game, person }, params) => {
    const month = parseMonth(params.get('month') ?? '');
    const recipient = parseCount(params.get('recipient'));
    const choice = { snapshotId: parseCount(params.get('snapshot')), ...(recipient === null ? {} : { recipient }) };
    return month === null ? null : await findMonthSource(game, month, person, choice);
  });
}

function refundsOf({ game, person }: Reader): RefundsSource {
  return { game, personId: person.id, mayRequest: person.may('refunds.request'), mayExport: person.may('files.export') };
}

function deliveriesOf({ game }: Reader): DeliveriesSource {
  return { game, attentionCount: 0, mayExport: false };
}

/** Which rows the parameters of a file of refunds name. */
export function chooseRefunds(reader: Reader, params: URLSearchParams): ReturnType<typeof refundsList.chooseRows> {
  return refundsList.chooseRows(refundsOf(reader), params);
}

/** Which rows the parameters of a file of deliveries name. */
export function chooseDeliveries(reader: Reader, params: URLSearchParams): ReturnType<typeof deliveriesList.chooseRows> {
  return deliveriesList.chooseRows(deliveriesOf(reader), params);
}

/** Every long list whose rows are requested in parts, by its name in the address. */
const LISTS: Record<string, ServedList> = {
  ...Object.fromEntries(SHEETS.map((sheet) => [sheet, serveSheet(sheet)])),
  'all-recipients': serve(allRecipientsList, 'figures.read', async ({ game, person }) => {
    const { months } = await listCompleteMonths(db(), game);
    return { game, snapshotIds: months.map(({ snapshotId }) => snapshotId), canSeeEmails: person.may('emails.read') };
  }),
  refunds: serve(refundsList, 'figures.read', async (reader) => refundsOf(reader)),
  deliveries: serve(deliveriesList, 'deliveries.read', async (reader) => deliveriesOf(reader)),
  'run-lines': serve(runLinesList, 'figures.read', async ({ game, person }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    return { slug: game.slug, run, outcomes: {}, canSeeEmails: person.may('emails.read') };
  }),
  // Of a run that isn’t approved there are none.
  statements: serve(statementsList, 'figures.read', async ({ game, person }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    return run.state === 'approved' ? { game, run, ...statementRights(person) } : null;
  }),
};

/** The list of a name in an address; null: none. */
export function findServedList(name: string): ServedList | null {
  return Object.hasOwn(LISTS, name) ? (LISTS[name] ?? null) : null;
}

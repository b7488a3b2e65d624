import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sortsOf } from '#db/kit/list.ts';
import { MONTH_SHEETS } from '#lib/evidence/reads/month-sheets.ts';
import { ALL_RECIPIENTS } from '#lib/evidence/reads/recipients.ts';
import { SHEETS, type SheetName } from '#lib/evidence/rules/sheets.ts';
import { REFUNDS } from '#lib/refunds/reads/list-refunds.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { BENCH_GAME, type RunningWeb, searchRequest } from '../product/web.ts';

/** The values of the parameters of an address that the pages are driven with. */
export type Subjects = Record<string, string[]>;

/** A list with rows: what it can be ordered by and filtered by, taken from the product. */
interface DrivenList {
  route: string;
  sorts: Record<string, unknown>;
  chips: readonly string[];
  finds: string[];
}

/** Requests every page and every route there is in `app`, each with every subject; fails for a parameter nobody gave a subject for. */
export async function drivePages(web: RunningWeb, subjects: Subjects): Promise<void> {
  for (const address of listAddresses(subjects)) {
    const { status } = await fetchFrom(web, address);
    if (status >= 500) throw new Error(`${address} answered ${status}`);
  }
}

/** Requests the rows of every list by every order in both directions, first and next (by rank or by key), and by every chip and filter. */
export async function driveLists(web: RunningWeb, { month = [], recipient = [], find = [] }: Subjects): Promise<void> {
  const monthly = (sheet: SheetName): string => `/${BENCH_GAME}/lists/${sheet}/rows?month=${month[0]}`;
  const lists: DrivenList[] = [
    ...SHEETS.map((sheet) => {
      const chips = ['all', ...MONTH_SHEETS[sheet].chips.map(({ key }) => key)];
      return { route: monthly(sheet), sorts: sortsOf(MONTH_SHEETS[sheet]), chips, finds: find };
    }),
    { route: `/${BENCH_GAME}/lists/all-recipients/rows`, sorts: sortsOf(ALL_RECIPIENTS), chips: ['all'], finds: find },
    {
      route: `/${BENCH_GAME}/lists/refunds/rows`,
      sorts: sortsOf(REFUNDS),
      chips: ['all', ...REFUNDS.chips.map(({ key }) => key)],
      finds: find,
    },
    ...recipient.flatMap((one) =>
      (['renewals', 'reversals'] as const).map((sheet) => ({
        route: `${monthly(sheet)}&recipient=${one}`,
        sorts: sortsOf(MONTH_SHEETS[sheet]),
        chips: [],
        finds: [],
      })),
    ),
  ];
  for (const { route, sorts, chips, finds } of lists) {
    for (const sort of Object.keys(sorts)) for (const dir of ['asc', 'desc']) await driveRows(web, route, { sort, dir });
    const sort = Object.keys(sorts)[0] ?? '';
    for (const chip of chips) await driveRows(web, route, { sort, dir: 'asc', chip });
    for (const text of finds) await driveRows(web, route, { sort, dir: 'asc', find: text });
  }
}

/** Searches for each text as the search box does. */
export async function driveSearch(web: RunningWeb, texts: string[]): Promise<void> {
  for (const text of texts) {
    const { url, headers = {}, body = '' } = searchRequest(web, text);
    const { status } = await fetch(url, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`the search for ${text} answered ${status}`);
  }
}

async function driveRows(web: RunningWeb, route: string, requested: Record<string, string>): Promise<void> {
  const params = new URLSearchParams({ limit: '50', ...requested });
  const address = `${route}${route.includes('?') ? '&' : '?'}${params}`;
  const first = await fetchFrom(web, address);
  if (first.status !== 200) throw new Error(`${address} answered ${first.status}`);
  const { next } = (await first.json()) as { next: string | null };
  if (next === null) return;
  if (route.includes('month=')) {
    const ranked = `${address.replace('limit=50', 'limit=100')}&from=100`;
    if ((await fetchFrom(web, ranked)).status !== 200) throw new Error(`${ranked} was refused`);
    return;
  }
  const { status } = await fetchFrom(web, `${address}&after=${encodeURIComponent(next)}`);
  if (status !== 200) throw new Error(`${address}, after ${next}, answered ${status}`);
}

/** Reads the answer to its end, so that all its statements were sent. */
async function fetchFrom({ origin, cookie }: RunningWeb, address: string): Promise<Response> {
  const response = await fetch(`${origin}${address}`, { headers: { cookie }, redirect: 'manual' });
  return new Response(await response.arrayBuffer(), { status: response.status === 200 ? 200 : Math.max(response.status, 300) });
}

/** Every address of a page or route in `app`, with every combination of its subjects. */
export function listAddresses(subjects: Subjects): string[] {
  const files = readdirSync(path.join(ROOT, 'app'), { recursive: true, encoding: 'utf8' });
  const patterns = files.filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file)).map((file) => path.dirname(file));
  return patterns.toSorted().flatMap((pattern) => fill(pattern === '.' ? '/' : `/${pattern}`, subjects));
}

function fill(pattern: string, subjects: Subjects): string[] {
  const name = /\[(\w+)\]/.exec(pattern)?.[1];
  if (name === undefined) return [pattern];
  const values = subjects[name];
  if (!values) throw new Error(`No value for [${name}] in ${pattern}: add a subject for it to the plans test.`);
  return values.flatMap((value) =>
    fill(
      pattern.replace(
        `[${name}]`,
        value
          .split('?')
          .map((each, index) => (index === 0 ? encodeURIComponent(each) : each))
          .join('?'),
      ),
      subjects,
    ),
  );
}

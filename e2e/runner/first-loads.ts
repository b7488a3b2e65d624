import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '#lib/start/data-folder.ts';

/** The scripts a page loads before anything is pressed: the framework's, those of its layouts, and its own. */
interface FirstLoad {
  /** The page, as its folder: `/[game]/months`. */
  page: string;
  /** Below `.next`. */
  files: string[];
  gzipBytes: number;
  rawBytes: number;
}

const MANIFEST = 'page_client-reference-manifest.js';

/** Lists the first loads of a build, by page. Throws when the build's own lists can't be read. */
function listFirstLoads(root: string = ROOT): FirstLoad[] {
  const build = path.join(root, '.next');
  const main = (JSON.parse(fs.readFileSync(path.join(build, 'build-manifest.json'), 'utf8')) as { rootMainFiles: string[] }).rootMainFiles;
  const sizes = new Map<string, { gzip: number; raw: number }>();
  const sizeOf = (file: string): { gzip: number; raw: number } => {
    const bytes = fs.readFileSync(path.join(build, file));
    const size = sizes.get(file) ?? { gzip: gzipSync(bytes).byteLength, raw: bytes.byteLength };
    sizes.set(file, size);
    return size;
  };
  const app = path.join(build, 'server', 'app');
  const manifests = fs.readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === MANIFEST);
  return manifests.toSorted().map((file) => {
    const files = [...new Set([...main, ...readScripts(path.join(app, file))])];
    const total = (name: 'gzip' | 'raw'): number => files.reduce((sum, each) => sum + sizeOf(each)[name], 0);
    return { page: `/${path.dirname(file).replace(/^\.$/, '')}`, files, gzipBytes: total('gzip'), rawBytes: total('raw') };
  });
}

/** The scripts that a page's manifest names: one object, assigned under the page's name. */
function readScripts(file: string): string[] {
  const [, text] = /\]\s*=\s*(\{.*\});?\s*$/s.exec(fs.readFileSync(file, 'utf8')) ?? [];
  const { entryJSFiles } = JSON.parse(text ?? '{}') as { entryJSFiles?: Record<string, string[]> };
  if (entryJSFiles === undefined) throw new Error(`${file} names no scripts: the build writes another format.`);
  return Object.values(entryJSFiles).flat();
}

/** Words that only some code holds and that no minifier changes. Nobody needs that code before they ask for it by a press or a touch. */
const LATER = { recharts: 'charts', 'Searching Invo…': 'search results', CSV_QUOTE_NOT_CLOSED: 'parsing CSV files' };

/** A word of the code of long tables, which only pages with one load. */
const TABLE = 'getTotalSize';
const TABLE_PAGES =
  /^\/\[game\]\/(actions|exceptions|months\/\[month\](\/\[sheet\])?|recipients(\/\[playerId\])?|refunds|webhooks|payouts\/(payees|\[runNo\](\/(statements|payments))?))$/;
/** Its preview computes with months and time zones as the amount is typed. */
const FORM_PAGES = /^\/\[game\]\/periods\/\[periodId\]\/refund$/;

/** What a first load may weigh, gzipped. The framework alone takes 132 kB. Lower a limit when a page needs less; never raise one. */
function limitOf(page: string): number {
  if (TABLE_PAGES.test(page)) return 209_000;
  return FORM_PAGES.test(page) ? 202_000 : 180_000;
}

/** Finds first loads with code that belongs later, and those above their limit: one sentence each, empty when there is none. */
export function checkFirstLoads(root: string = ROOT): string[] {
  const loads = listFirstLoads(root);
  if (loads.length === 0) return ['The build names no page.'];
  const texts = new Map<string, string>();
  const holds = ({ files }: FirstLoad, word: string): boolean =>
    files.some((file) => {
      const text = texts.get(file) ?? fs.readFileSync(path.join(root, '.next', file), 'utf8');
      texts.set(file, text);
      return text.includes(word);
    });
  return loads.flatMap((load) => [
    ...Object.entries(LATER).flatMap(([word, what]) => (holds(load, word) ? [`${load.page} loads the code of ${what} at first.`] : [])),
    ...(holds(load, TABLE) && !TABLE_PAGES.test(load.page) ? [`${load.page} has no long table and loads the code of one.`] : []),
    ...(load.gzipBytes > limitOf(load.page)
      ? [`${load.page} loads ${formatKilobytes(load.gzipBytes)} of scripts at first, more than ${formatKilobytes(limitOf(load.page))}.`]
      : []),
  ]);
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (process.argv[1] === import.meta.filename) {
  const loads = listFirstLoads();
  const shared = loads.reduce((all, { files }) => all.filter((file) => files.includes(file)), loads[0]?.files ?? []);
  const framework = loads.find(({ page }) => page === '/_not-found') ?? loads[0];
  process.stdout.write(`${'page'.padEnd(52)} gzip      raw       own\n`);
  for (const { page, gzipBytes, rawBytes } of loads) {
    const own = gzipBytes - (framework?.gzipBytes ?? 0);
    process.stdout.write(
      `${page.padEnd(52)} ${formatKilobytes(gzipBytes).padEnd(9)} ${formatKilobytes(rawBytes).padEnd(9)} ${formatKilobytes(own)}\n`,
    );
  }
  process.stdout.write(`${shared.length} scripts are in every page.\n`);
}

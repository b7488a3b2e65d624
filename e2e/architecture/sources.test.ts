import { expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile } from './read-sources.ts';

// Rules about sources that neither dependency-cruiser nor oxlint can state.
const sources = readSources();

test('no statement has a name, so that a pooler in transaction mode can stand in front of Postgres', () => {
  const found = sources.filter(
    ({ path, text, isTest }) => !isTest && /^(lib|app|db)\//.test(path) && /\.query[^;]{0,60}\(\{\s*name:/.test(text),
  );
  expect(found.map((file) => file.path)).toEqual([]);
});

// Pages and routes that show or send a complete month, and what shows operators the state of the replica.
const READS_REPLICA = [
  'app/[game]/months/[month]/export/[sheet]/route.ts',
  'app/[game]/months/[month]/sheet-page.tsx',
  'app/[game]/months/[month]/table/[part]/route.ts',
  'app/_server/server-context.ts',
  'app/metrics/route.ts',
  'app/settings/page.tsx',
  'lib/cli/doctor-command.ts',
];

test('the read replica is reached from pages and files of complete months alone, so no session and no money decision reads it', () => {
  const found = sources.filter(
    ({ path, text, isTest }) =>
      !isTest && /\b(openCompleteReads|completeReads)\b|import \{[^}]*\breadComplete\b/.test(text) && path !== 'db/kit/replica.ts',
  );
  expect(found.map((file) => file.path)).toEqual(READS_REPLICA);
});

test('a folder of app imports only from its own path and from shared folders with an underscore above it', () => {
  const found = sources.filter((file) => file.path.startsWith('app/')).flatMap(crossings);
  expect(found).toEqual([]);
});

test.each([
  ['app/[game]/refunds/page.tsx', '../periods/[periodId]/refund/period-words.ts', false],
  ['app/[game]/refunds/page.tsx', '../../settings/side-dialog.tsx', false],
  ['app/[game]/refunds/page.tsx', '../periods/_walk/walk.ts', false],
  ['app/_shell/shell.tsx', '../sign-in/sign-out.ts', false],
  ['app/[game]/_refunds/action-form.tsx', '../refunds/refund-table.ts', false],
  ['app/[game]/refunds/page.tsx', './[refundId]/summary.tsx', true],
  ['app/[game]/refunds/[refundId]/page.tsx', '../refund-table.ts', true],
  ['app/[game]/refunds/[refundId]/page.tsx', '../../_refunds/action-form.tsx', true],
  ['app/[game]/refunds/[refundId]/page.tsx', '../../../_ui/layout/card.tsx', true],
  ['app/layout.tsx', './sign-in/door.tsx', true],
])('a folder of app: %s may import %s: %j', (path, target, mayImportIt) => {
  expect(crossings(parseSource(path, `import { x } from '${target}';`))).toHaveLength(mayImportIt ? 0 : 1);
});

function crossings({ path, imports }: SourceFile): string[] {
  const own = folderOf(path);
  return imports
    .filter(({ target }) => target.startsWith('app/'))
    .filter(({ target }) => {
      const home = target.includes('/_') ? target.slice(0, target.indexOf('/_') + 1) : folderOf(target);
      return !own.startsWith(home) && !home.startsWith(own);
    })
    .map(({ target }) => `${path} → ${target}`);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

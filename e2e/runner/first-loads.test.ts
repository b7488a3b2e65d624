import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkFirstLoads } from './first-loads.ts';

const made: string[] = [];
afterAll(() => made.forEach((root) => fs.rmSync(root, { recursive: true, force: true })));

/** A build with these scripts, in which every page loads `main` and its own. */
function build(pages: Record<string, string[]>, scripts: Record<string, string>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-first-loads-'));
  made.push(root);
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, '.next', file)), { recursive: true });
    fs.writeFileSync(path.join(root, '.next', file), text);
  };
  write('build-manifest.json', JSON.stringify({ rootMainFiles: ['static/main.js'] }));
  for (const [file, text] of Object.entries({ 'static/main.js': 'main', ...scripts })) write(file, text);
  fs.mkdirSync(path.join(root, '.next/server/app'), { recursive: true });
  for (const [page, files] of Object.entries(pages)) {
    const names = JSON.stringify({ entryJSFiles: { '[project]/app/layout': ['static/main.js'], own: files } });
    write(`server/app${page}/page_client-reference-manifest.js`, `globalThis.a = {};\nglobalThis.a["${page}/page"] = ${names};\n`);
  }
  return root;
}

test('a build whose pages load only what they need has no offence, whatever else it holds', () => {
  const root = build(
    { '/[game]/months': ['static/a.js'], '/[game]/recipients': ['static/table.js'] },
    {
      'static/a.js': 'a',
      'static/table.js': 'x.getTotalSize()',
      'static/later.js': 'Searching Invo… recharts CSV_QUOTE_NOT_CLOSED',
    },
  );
  expect(checkFirstLoads(root)).toEqual([]);
});

test.each([
  ['charts', 'class="recharts-wrapper"', '/[game]/months loads the code of charts at first.'],
  ['search results', '"Searching Invo…"', '/[game]/months loads the code of search results at first.'],
  ['an upload', 'new e("CSV_QUOTE_NOT_CLOSED")', '/[game]/months loads the code of parsing CSV files at first.'],
  ['a long table', 'x.getTotalSize()', '/[game]/months has no long table and loads the code of one.'],
])('a page that loads the code of %s before it is wanted is named', (_, text, sentence) => {
  expect(checkFirstLoads(build({ '/[game]/months': ['static/a.js'] }, { 'static/a.js': text }))).toEqual([sentence]);
});

test('a first load above its limit is named with both sizes', () => {
  const noise = Array.from({ length: 60_000 }, (_, index) => ((index * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
  const [sentence, ...others] = checkFirstLoads(build({ '/settings': ['static/a.js'] }, { 'static/a.js': noise }));
  expect(sentence).toMatch(/^\/settings loads \d{3}\.\d kB of scripts at first, more than 180\.0 kB\.$/);
  expect(others).toEqual([]);
});

test('a build without pages, or that names its scripts in another way, doesn’t pass', () => {
  expect(checkFirstLoads(build({}, {}))).toEqual(['The build names no page.']);
  const root = build({ '/settings': [] }, {});
  fs.writeFileSync(path.join(root, '.next/server/app/settings/page_client-reference-manifest.js'), 'export default {}');
  expect(() => checkFirstLoads(root)).toThrow('names no scripts');
});

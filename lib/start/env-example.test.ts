import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { ROOT } from './data-folder.ts';

/** Set by the commands for the processes they start, or by the system. */
const NOT_FOR_PEOPLE = [
  'CHROME_ENV',
  'CI',
  'NODE_COMPILE_CACHE',
  'NODE_ENV',
  'PATH',
  'PLAYWRIGHT_REPORT',
  'CHECK_FOLDER',
  'CHECK_GAMES_BETWEEN',
  'PROVE',
  'PROVE_FIGURES',
  'REFUND_CHILD',
  'SHAREBOOK_SIMULATED',
  'SHAREBOOK_TEST_RUN',
  'TEST_OUTCOME',
  'TMPDIR',
  'TZ',
];

const explained = listNames(fs.readFileSync(path.join(ROOT, '.env.example'), 'utf8'), /^# ([A-Z][A-Z0-9_]*)=/gm);
// The simulated Invo is a process of its own; .github/docs/simulated-invo.md has its variables.
const sources = [
  ...readSources().filter((file) => !file.path.startsWith('e2e/upstream/')),
  { text: fs.readFileSync(path.join(ROOT, 'proxy.ts'), 'utf8') },
];
const read = sources.flatMap(({ text }) => listNames(text, /\benv(?:\.|\['|, ')([A-Z][A-Z0-9_]+)\b/g));

test('.env.example explains every environment variable that Sharebook reads', () => {
  const known = new Set([...explained, ...NOT_FOR_PEOPLE]);
  expect([...new Set(read.filter((name) => !known.has(name)))]).toEqual([]);
});

test('.env.example names no environment variable that nothing reads', () => {
  expect(explained.filter((name) => !read.includes(name))).toEqual([]);
  expect(new Set(explained).size).toBe(explained.length);
});

function listNames(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

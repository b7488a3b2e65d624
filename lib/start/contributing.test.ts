import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { ROOT } from './data-folder.ts';

const GUIDE = '.github/CONTRIBUTING.md';
const text = fs.readFileSync(path.join(ROOT, GUIDE), 'utf8');
const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
const words = spans.flatMap((span) => span.split(/\s+/));

const ROOMS = ['app', 'db', 'e2e', 'lib'];
/** Every file and folder of the rooms, folders with a slash at their end. */
const tree = ROOMS.flatMap((room) => [
  `${room}/`,
  ...fs
    .readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
    .map((entry) => `${path.relative(ROOT, path.join(entry.parentPath, entry.name))}${entry.isDirectory() ? '/' : ''}`),
]);

test('every npm script that CONTRIBUTING names exists', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)].map((match) => match[1] ?? match[2] ?? '');
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('every path that CONTRIBUTING names exists; <name>, * and … stand for any name', () => {
  const named = words.filter((word) => ROOMS.some((room) => word.startsWith(`${room}/`)));
  expect(named.length).toBeGreaterThan(40);
  const isMissing = (word: string): boolean => {
    const pattern = patternOf(word);
    return !tree.some((entry) => pattern.test(entry));
  };
  expect(named.filter(isMissing)).toEqual([]);
});

test('every file that CONTRIBUTING names without its folder exists', () => {
  const named = words.filter((word) => /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|json|md|sql)$/.test(word));
  const names = new Set(tree.map((entry) => path.basename(entry)));
  expect(named.filter((name) => !names.has(name) && !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
});

test('every link of CONTRIBUTING leads to a file', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((link) => !fs.existsSync(path.join(ROOT, path.dirname(GUIDE), link)))).toEqual([]);
});

test('every function and constant that CONTRIBUTING names is in the sources', () => {
  const named = spans.flatMap((span) => /^(?:[A-Z][A-Z_]{3,}|[a-z]+[A-Z]\w+)(?=$|[(.])/.exec(span)?.[0] ?? []);
  const code = readSources().map((file) => file.text);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !code.some((source) => new RegExp(`\\b${name}\\b`).test(source)))).toEqual([]);
});

function patternOf(word: string): RegExp {
  const escaped = word.replaceAll(/[.[\]()+?$^|\\{}]/g, String.raw`\$&`);
  const any = escaped
    .replaceAll('**', '…')
    .replaceAll(/<[^>]+>|\*/g, '[^/]*')
    .replaceAll('…', '.*');
  return new RegExp(`^${any}/?$`);
}

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { ROOT } from './data-folder.ts';

const GUIDE = '.github/CONTRIBUTING.md';
const text = fs.readFileSync(path.join(ROOT, GUIDE), 'utf8');
const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
const words = spans.flatMap((span) => span.split(/\s+/));

const files = ['app', 'db', 'e2e', 'lib'].flatMap((room) => fs.readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' }));

test('every npm script that CONTRIBUTING names exists', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)].map((match) => match[1] ?? match[2] ?? '');
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('every file that CONTRIBUTING names without its folder exists', () => {
  const named = words.filter((word) => /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|json|md|sql)$/.test(word));
  const names = new Set(files.map((file) => path.basename(file)));
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

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runInRequest } from '#lib/operate/request-context.ts';
import { sourceOfRequest } from './session.ts';

const sourceOf = (method: string): string =>
  runInRequest({ requestId: 'a request', method, address: '127.0.0.1', personId: null, statements: 0 }, () => sourceOfRequest());

test('only a request that reads gets what the process remembers', () => {
  expect(['GET', 'HEAD'].map(sourceOf)).toEqual(['cache', 'cache']);
  expect(['POST', 'PUT', 'get', 'unknown'].map(sourceOf)).toEqual(['database', 'database', 'database', 'database']);
});

test('where the web server of Sharebook doesn’t run, the database is asked', () => {
  expect(sourceOfRequest()).toBe('database');
});

test('every route that hands out a file asks the database who takes it', () => {
  const app = path.join(import.meta.dirname, '..');
  const files = fs.globSync('**/route.ts', { cwd: app }).map((name) => ({ name, code: fs.readFileSync(path.join(app, name), 'utf8') }));
  const handingOut = files.filter(({ code }) => /send(File|Bytes|GzipCsv|Json)\(/.test(code));
  expect(handingOut.length).toBeGreaterThan(5);
  expect(handingOut.filter(({ code }) => !/requirePerson\([^)]*'database'\)/.test(code)).map(({ name }) => name)).toEqual([]);
});

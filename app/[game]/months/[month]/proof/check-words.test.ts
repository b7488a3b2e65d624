import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ADDITIVE_TOTALS } from '../../../../../lib/domain/evidence.ts';
import { wordsOfCheck } from './check-words.ts';

const PROOF = path.resolve(import.meta.dirname, '../../../../../lib/domain/proof');

test('every check the proof makes has words of its own', () => {
  const source = readdirSync(PROOF)
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(PROOF, file), 'utf8'))
    .join('\n');
  const names = [...source.matchAll(/book\.\w+\(\s*'([a-z_]+)'/g)].map((match) => match[1] ?? '');
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => wordsOfCheck(name).title === name)).toEqual([]);
});

test('every control total has words', () => {
  const titles = Object.keys(ADDITIVE_TOTALS).map((name) => wordsOfCheck(`control_${name}`).title);
  expect(titles.filter((title) => title.includes('_'))).toEqual([]);
});

test('a check without words speaks for itself', () => {
  expect(wordsOfCheck('some_new_check')).toEqual({ title: 'some_new_check', expected: 'expected', actual: 'found' });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WindowReconciler } from '#lib/evidence/rules/reconciliation/check-window.ts';
import { ADDITIVE_TOTALS } from '#lib/evidence/rules/totals.ts';
import { OCTOBER } from '#lib/evidence/testing/sample-slice.ts';
import { CONTROL, FIRST, SECOND } from '#lib/evidence/testing/two-slices.ts';
import { CHECK_WORDS, totalWord, wordsOfCheck } from './check-words.ts';

const PROOF = path.resolve(import.meta.dirname, '../../../../lib/evidence/rules/reconciliation');

/** Every name the proof gives a check, as its sources write it down: in a call of the book, or in a list of checks to open. */
function namesInSources(): string[] {
  const source = readdirSync(PROOF)
    .filter((file) => /^check-.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(PROOF, file), 'utf8'))
    .join('\n');
  const calls = [...source.matchAll(/checks\.\w+\(\s*'([a-z_]+)'/g)];
  const lists = [...source.matchAll(/of \[([^\]]+)\]\) checks\.open/g)].flatMap(([, list = '']) => [...list.matchAll(/'([a-z_]+)'/g)]);
  return [...new Set([...calls, ...lists].map((match) => match[1] ?? ''))].toSorted();
}

test('every check the proof can make has words of its own', () => {
  const names = namesInSources();
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => wordsOfCheck(name).title === name || wordsOfCheck(name).title.includes('_'))).toEqual([]);
});

test('every check of a proven window has words of its own', () => {
  const prover = new WindowReconciler(OCTOBER);
  for (const slice of [FIRST, SECOND]) prover.add(slice);
  const names = prover.close(CONTROL).checks.map(({ name }) => name);
  expect(names).toContain('control_recipient_count');
  expect(names.filter((name) => wordsOfCheck(name).title.includes('_'))).toEqual([]);
});

test('no words are kept for a check the proof no longer makes', () => {
  const names = namesInSources();
  expect(Object.keys(CHECK_WORDS).filter((name) => !names.includes(name))).toEqual([]);
});

test('every total of Invo has words, and no two the same', () => {
  const words = [...Object.keys(ADDITIVE_TOTALS), 'unattributed_reasons', 'recipient_count'].map(totalWord);
  expect(words.filter((word) => word.includes('_'))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});

test('a check without words speaks for itself', () => {
  expect(wordsOfCheck('some_new_check')).toEqual({ title: 'some_new_check', expected: 'expected', actual: 'found' });
});

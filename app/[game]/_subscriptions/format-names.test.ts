import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatCard } from './format-names.ts';

test.each([
  ['visa', 'Visa •••• 0005'],
  [null, 'Card •••• 0005'],
  [' ', 'Card •••• 0005'],
  ['Carte Bancaire', 'Carte Bancaire •••• 0005'],
  ['diners 2026', 'Diners 2026 •••• 0005'],
  ['visa 4242424242424242', 'Visa •••• 4242 •••• 0005'],
  ['4242 4242-4242.4241 debit', '•••• 4241 debit •••• 0005'],
  ['4242\u200b42424242\u00a04243', '•••• 4243 •••• 0005'],
  ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٤', '•••• ٤٢٤٤ •••• 0005'],
  ['12345678901', '12345678901 •••• 0005'],
  ['vi\u202esa', 'Vi[U+202E]sa •••• 0005'],
])('a card with the brand %j is shown as %j', (brand, name) => {
  expect(formatCard({ brand, last_four: '0005' })).toBe(name);
});

test('a card without its last digits shows question marks', () => {
  expect(formatCard({ brand: 'visa', last_four: null })).toBe('Visa •••• ????');
});

test('no page shows the name of an item without making its invisible characters visible', () => {
  const app = path.join(import.meta.dirname, '../..');
  const pages = fs.globSync('**/*.tsx', { cwd: app }).map((name) => ({ name, code: fs.readFileSync(path.join(app, name), 'utf8') }));
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(({ code }) => /item_name (\?\?|=== null)/.test(code)).map(({ name }) => name)).toEqual([]);
});

import { expect, test } from 'vitest';
import { ALL_VERIFIED_TABLES, formatVerifyCoverage, UNCOVERED } from './coverage.ts';

const lines = formatVerifyCoverage().split('\n');
const rowsOf = (table: string): string[] => lines.filter((line) => line.startsWith(`${table} `));

test.each(ALL_VERIFIED_TABLES)('the printed coverage lists %s with each column that is not covered', (table) => {
  const uncovered = Object.entries(UNCOVERED).filter(([name]) => name.startsWith(`${table}.`));
  for (const [name, why] of uncovered) {
    const column = name.slice(table.length + 1);
    expect(rowsOf(table).filter((line) => line.includes(` ${column} `) && line.endsWith(` ${why}`))).toHaveLength(1);
  }
  const isAllCovered = uncovered.length === 0 && table !== 'detail_month';
  expect(rowsOf(table).filter((line) => line.endsWith('every column is covered'))).toHaveLength(isAllCovered ? 1 : 0);
});

test('the printed coverage names no column twice and every uncovered column belongs to a verified table', () => {
  const tables: readonly string[] = ALL_VERIFIED_TABLES;
  expect(Object.keys(UNCOVERED).filter((name) => !tables.includes(name.split('.')[0] ?? ''))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});

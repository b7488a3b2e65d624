import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OCTOBER } from '#e2e/support/evidence/sample-slice.ts';
import { CONTROL, FIRST, SECOND } from '#e2e/support/evidence/two-slices.ts';
import { MONTH_STATES } from './rules/month-state.ts';
import { WindowReconciler } from './rules/reconciliation/check-window.ts';
import { ADDITIVE_TOTALS } from './rules/totals.ts';
import { CHECK_TEXT, checkTextOf, formatDrift, formatMonthState, formatTotalName } from './text.ts';

const RULES = path.resolve(import.meta.dirname, 'rules');

/** Every name the rules give a check, as their sources write it: in a call of the check list, or in a list of checks to open. */
function namesInSources(): string[] {
  const source = readdirSync(RULES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(RULES, file), 'utf8'))
    .join('\n');
  const calls = [...source.matchAll(/checks\.\w+\(\s*'([a-z_]+)'/g)];
  const lists = [...source.matchAll(/of \[([^\]]+)\]\) checks\.open/g)].flatMap(([, list = '']) => [...list.matchAll(/'([a-z_]+)'/g)]);
  return [...new Set([...calls, ...lists].map((match) => match[1] ?? ''))].toSorted();
}

test('every check the rules can make has a text', () => {
  const names = namesInSources();
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => checkTextOf(name).title === name || checkTextOf(name).title.includes('_'))).toEqual([]);
});

test('every check of a complete window has a text', () => {
  const reconciler = new WindowReconciler(OCTOBER);
  for (const slice of [FIRST, SECOND]) reconciler.add(slice);
  const names = reconciler.close(CONTROL).checks.map(({ name }) => name);
  expect(names).toContain('control_recipient_count');
  expect(names.filter((name) => checkTextOf(name).title.includes('_'))).toEqual([]);
});

test('no text exists for a check the rules no longer make', () => {
  const names = namesInSources();
  expect(Object.keys(CHECK_TEXT).filter((name) => !names.includes(name))).toEqual([]);
});

test('every total of Invo has a name, and no two are the same', () => {
  const names = [...Object.keys(ADDITIVE_TOTALS), 'unattributed_reasons', 'recipient_count'].map(formatTotalName);
  expect(names.filter((name) => name.includes('_'))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('a check without a text is shown by its name', () => {
  expect(checkTextOf('some_new_check')).toEqual({ group: 'invo', title: 'some_new_check', expected: 'expected', actual: 'found' });
});

test('checks of the parts of a month have a group of their own', () => {
  expect(checkTextOf('control_net_attributed_usd')).toMatchObject({ group: 'parts', title: 'Net attributed' });
});

test('every state of a month has a text of its own, and warnings are counted', () => {
  expect(new Set(MONTH_STATES.map((state) => formatMonthState(state, 2))).size).toBe(MONTH_STATES.length);
  expect(formatMonthState('reconciled_with_warnings', 1)).toBe('Reconciled with 1 warning');
  expect(formatMonthState('reconciled_with_warnings', 2)).toBe('Reconciled with 2 warnings');
});

test.each([
  [
    { lines_added: 1, lines_removed: 0, lines_changed: 2, net_change_usd: '5.00' },
    'net attributed +5.00 USD; 1 line added, 0 removed, 2 changed.',
  ],
  [
    { lines_added: 0, lines_removed: 0, lines_changed: 0, net_change_usd: '0.00' },
    'net attributed unchanged; 0 lines differ, but totals of the window or of a part of it do.',
  ],
])('drift %o is stated as: %s', (drift, text) => {
  expect(formatDrift(drift)).toBe(text);
});

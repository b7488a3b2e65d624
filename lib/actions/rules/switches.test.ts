import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOnByDefault, MILESTONE_EVENTS, parseMilestoneName, SWITCHED_GROUPS } from './kinds.ts';

const SCHEMA = readFileSync(path.resolve(import.meta.dirname, '../../../db/schema.sql'), 'utf8');

test('the database checks the same groups and types of events', () => {
  const listOf = (name: string): string[] => {
    const [, list = ''] = new RegExp(`constraint ${name} CHECK .*ARRAY\\[(.*)\\]`).exec(SCHEMA) ?? [];
    return [...list.matchAll(/'([\w.]+)'/g)].map(([, word = '']) => word);
  };
  expect(listOf('action_switch_action_group_check')).toEqual([...SWITCHED_GROUPS]);
  expect(listOf('milestone_name_event_type_check')).toEqual([...MILESTONE_EVENTS]);
});

test('in production payments alone are on until someone sets a switch, in the sandbox every group', () => {
  expect(SWITCHED_GROUPS.filter((group) => isOnByDefault(group, 'production'))).toEqual(['payments']);
  expect(SWITCHED_GROUPS.filter((group) => isOnByDefault(group, 'sandbox'))).toEqual([...SWITCHED_GROUPS]);
});

test.each([
  [' boss_1.defeated ', 'boss_1.defeated'],
  ['First win', 'First win'],
  ['x', 'x'],
  ['é', null],
  ['', null],
  ['two\nlines', null],
  ['n'.repeat(101), null],
])('the typed name "%s" of a milestone is %s', (typed, name) => {
  expect(parseMilestoneName(typed)).toBe(name);
});

import { expect, test } from 'vitest';
import type { Placement } from '../distribution.ts';
import {
  type Cluster,
  type ComparedPlacements,
  comparePlacements,
  findClusterProblem,
  findPlacementProblem,
  type PlacedTable,
} from './cluster.ts';

const LISTED: Record<string, Placement> = {
  game: { is: 'reference', why: 'joined everywhere' },
  slice: { is: 'distributed' },
  pull: { is: 'distributed' },
  audit: { is: 'local', why: 'one chain' },
};
const game: PlacedTable = { table: 'game', is: 'reference', column: null, colocation: 9 };
const slice: PlacedTable = { table: 'slice', is: 'distributed', column: 'game_id', colocation: 1 };
const pull: PlacedTable = { ...slice, table: 'pull' };
const audit: PlacedTable = { table: 'audit', is: 'local', column: null, colocation: 0 };
const CLUSTER: Cluster = { version: '14.0-1', workers: ['one:5432', 'two:5432'], away: [], refusesTriggers: [], tables: [] };

const local = (table: string): PlacedTable => ({ table, is: 'local', column: null, colocation: 0 });

test.each<[string, PlacedTable[], Partial<ComparedPlacements>]>([
  ['as listed', [audit, game, pull, slice], {}],
  ['not at all', [audit, local('game'), local('slice'), local('pull')], { unplaced: ['game', 'slice', 'pull'] }],
  ['in part', [game, slice, local('pull')], { unplaced: ['pull'] }],
  ['as listed, before a migration adds another', [game, slice], {}],
  ['by another column', [game, pull, { ...slice, column: 'recipient_key' }], { misplaced: ['slice is distributed by recipient_key'] }],
  ['apart from the others', [game, slice, { ...pull, colocation: 2 }], { misplaced: ['pull is distributed apart from the other tables'] }],
  ['as copies of what is distributed', [game, slice, { ...pull, is: 'reference' }], { misplaced: ['pull is copied to every server'] }],
  [
    'elsewhere than on the coordinator',
    [game, slice, pull, { ...audit, is: 'distributed', column: 'audit_id' }],
    { misplaced: ['audit is distributed by audit_id'] },
  ],
  ['beside one that nobody listed', [game, slice, pull, local('mine')], { unlisted: ['mine'] }],
])('tables that lie %s', (_, tables, differing) => {
  expect(comparePlacements(tables, LISTED)).toEqual({ unplaced: [], misplaced: [], unlisted: [], ...differing });
});

test('a database is used when all of its tables are distributed, or none', () => {
  const [one, two] = [{ ...slice, table: 'slice_recipient' }, local('pull')];
  expect(findPlacementProblem([slice, one])).toBeNull();
  expect(findPlacementProblem([local('slice'), two])).toBeNull();
  expect(findPlacementProblem([{ ...slice, column: 'snapshot_id' }, one])).toMatch(
    /lists them: slice is distributed by snapshot_id\. Undo that/,
  );
  expect(findPlacementProblem([slice, one, two])).toBe(
    'Some tables are distributed, and another one isn’t (pull). Undo that with undistribute_table, and run sharebook distribute.',
  );
});

test.each<[string, Partial<Cluster>, RegExp | null]>([
  ['nothing in the way', {}, null],
  ['an old Citus', { version: '13.2-1' }, /^Citus 13\.2-1 is too old: use 14 or newer\.$/],
  ['no worker', { workers: [] }, /citus_add_node/],
  ['a worker that is away', { away: ['two:5432'] }, /^two:5432 can’t be reached by every server/],
  ['no triggers', { refusesTriggers: ['one:5432'] }, /^Set citus\.enable_unsafe_triggers to on for one:5432/],
])('a cluster with %s', (_, changed, sentence) => {
  const problem = findClusterProblem({ ...CLUSTER, ...changed });
  if (sentence === null) expect(problem).toBeNull();
  else expect(problem).toMatch(sentence);
});

import '#lib/start/exit-with-parent.ts';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';
import { watchShutdown } from '#lib/start/processes.ts';
import { type Bench, type Closeable, GOAL_IDS, type Goal, type GoalId, type Round } from './goal.ts';
import { GOALS, UNMEASURED } from './goals.ts';
import { hasMovedLimit, type Judged, judge, judgeRuns, takeSteadyRun } from './judge.ts';
import { type MeasuredWork, printTable } from './table.ts';

// `npm run bench` measures every goal, `npm run bench -- G7 G12` those named. Prints one table, stores it as JSON in .data/bench/.
// With --quick it takes one short round of each, on less data: shows that the bench works, and its figures mean nothing.

const FOLDER = path.join(ROOT, '.data', 'bench');
/** A goal inside the range of the rounds is decided by the median of so many runs. */
const RUNS_IN_DOUBT = 3;
const IS_QUICK = process.argv.includes('--quick');

const shutdown = watchShutdown();
const shared = new Map<string, Promise<Closeable>>();
process.exitCode = await Promise.race([run(process.argv.slice(2).filter((each) => each !== '--quick')), shutdown.requested]);
for (const each of await Promise.allSettled(shared.values())) if (each.status === 'fulfilled') await each.value.close();
process.exit();

async function run(named: string[]): Promise<number> {
  const unknown = named.filter((name) => !isGoalId(name));
  if (unknown.length > 0) {
    say(`No goal ${unknown.join(', ')}. There are ${GOAL_IDS.join(', ')}.`);
    return 2;
  }
  fs.mkdirSync(FOLDER, { recursive: true });
  const bench: Bench = { say, folder: FOLDER, isQuick: IS_QUICK, share: shareOnce };
  const measured: MeasuredWork[] = [];
  const failed: string[] = [];
  const isNamed = (id: GoalId): boolean => named.length === 0 || named.includes(id);
  for (const id of GOAL_IDS.filter(isNamed)) {
    for (const load of GOALS[id] ?? []) {
      try {
        measured.push(...(await measure(await load(), bench)));
      } catch (error) {
        failed.push(id);
        say(`${id} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
  }
  const about = {
    at: new Date().toISOString(),
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
  };
  const unmeasured = UNMEASURED.filter(({ id }) => isNamed(id));
  process.stdout.write(`${printTable(measured, unmeasured)}\n`);
  if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}.\n`);
  const file = path.join(FOLDER, `${IS_QUICK ? 'quick-' : ''}${named.length === 0 ? 'all' : named.join('-')}.json`);
  fs.writeFileSync(file, `${JSON.stringify({ ...about, measured, unmeasured, failed }, null, 2)}\n`);
  say(`Written to ${path.relative(ROOT, file)}.`);
  return (IS_QUICK || measured.every(({ judged }) => judged.holds)) && failed.length === 0 ? 0 : 1;
}

async function measure(goal: Goal, bench: Bench): Promise<MeasuredWork[]> {
  bench.say(`${goal.id}: ${goal.title}`);
  const startedAt = performance.now();
  const keys = Object.keys(goal.works);
  const count = bench.isQuick ? 1 : goal.rounds;
  const measurement = await goal.open(bench);
  const takeRun = async (): Promise<Round[]> => {
    const rounds: Round[] = [];
    for (let round = 1; round <= count; round += 1) {
      rounds.push(await measurement.round());
      bench.say(`${goal.id}: round ${round} of ${count}`);
    }
    return rounds;
  };
  const takeSteady = (): Promise<Round[]> =>
    takeSteadyRun(takeRun, keys, (moved) =>
      bench.say(`${goal.id}: the limit of ${moved.map((key) => goal.works[key]?.work).join('; ')} moved by more than 30 %; measured again`),
    );
  try {
    const runs = [await takeSteady()];
    const isInDoubt = (key: string): boolean => judge(workOf(goal, key), runs[0] ?? [], key).verdict === 'within noise';
    if (count > 1 && keys.some(isInDoubt)) while (runs.length < RUNS_IN_DOUBT) runs.push(await takeSteady());
    return keys.map((key) => {
      const judged: Judged = judgeRuns(workOf(goal, key), runs, key);
      const hasMoved = runs.some((rounds) => hasMovedLimit(rounds, key));
      return { id: goal.id, ...workOf(goal, key), judged, hasMoved, runs: runs.map((rounds) => rounds.map((round) => round[key] ?? null)) };
    });
  } finally {
    await measurement.close();
    bench.say(`${goal.id}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
}

async function shareOnce<T extends Closeable>(name: string, open: () => Promise<T>): Promise<T> {
  const opened = shared.get(name) ?? open();
  shared.set(name, opened);
  // One name always opens the same thing.
  return (await opened) as T;
}

function workOf(goal: Goal, key: string): Goal['works'][string] {
  const work = goal.works[key];
  if (!work) throw new Error(`${goal.id} has no work ${key}`);
  return work;
}

function isGoalId(name: string): name is GoalId {
  return GOAL_IDS.some((id) => id === name);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

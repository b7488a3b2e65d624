import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPullJob } from '#db/evidence/reads/pulls.ts';
import { claimPull } from '#db/evidence/writes/pull-queue.ts';
import { openDb } from '#db/kit/open.ts';
import { type Config, readConfig } from '../config.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { type GameAtWork, openGame } from '../games/game.ts';
import { schedulePulls } from './schedule-pulls.ts';
import { settleRefundsOf } from './settle-refunds.ts';

/** How often an idle worker looks for work, and how often the schedule is looked at. */
const IDLE_MS = 500;
const SCHEDULE_MS = 60_000;
const REFUNDS_AT_ONCE = 3;

await work(readConfig(process.env));

/**
 * The worker: takes pulls that wait, one after another, asks for those that are due, and beside that settles refunds whose time has come.
 * Any number of workers share one database; a lease decides who works on what.
 */
async function work(config: Config): Promise<void> {
  const stopper = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopper.abort());
  say('worker ready');
  const { db, pool, close } = openDb(config.databaseUrl, { poolSize: 8 });
  const now = (): string => config.fixedNow ?? new Date().toISOString();
  const owner = `worker ${hostname()} ${process.pid}`;
  const open = (): Promise<GameAtWork[]> =>
    Promise.all(config.games.map((game) => openGame(db, pool, game, { settleLag_minutes: config.settleLag_minutes, now })));
  let nextSchedule = 0;
  const pullOnce = async (): Promise<boolean> => {
    const games = await open();
    if (Date.now() >= nextSchedule) {
      for (const game of games) await schedulePulls(game, config.isSimulated);
      nextSchedule = Date.now() + SCHEDULE_MS;
    }
    return workOnce(config, games, owner, stopper.signal);
  };
  // Beside each other: a pull that waits for the rate limit never keeps a refund waiting, nor does a refund that Invo leaves without an answer.
  const settleOnce = settleRefundsOf(config, open, owner, say);
  await Promise.all([goOn(stopper.signal, pullOnce), ...Array.from({ length: REFUNDS_AT_ONCE }, () => goOn(stopper.signal, settleOnce))]);
  await close();
}

/** Does one piece of work after another, with a rest when there was none, until the worker is told to stop. */
async function goOn(signal: AbortSignal, once: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await once())) await rest(signal);
    } catch (error) {
      if (signal.aborted) break;
      // The database may be away, or the work hit a bug: say so and go on; what is left behind is taken up again when its lease ends.
      say(`trouble: ${error instanceof Error ? error.message : String(error)}`);
      await rest(signal, 2_000);
    }
  }
}

async function workOnce(config: Config, games: GameAtWork[], owner: string, signal: AbortSignal): Promise<boolean> {
  const [first] = games;
  const lease = first ? await claimPull(first.db, owner, { gameIds: games.map((game) => game.gameId) }) : null;
  const game = games.find((each) => each.gameId === lease?.gameId);
  const gameConfig = config.games.find((each) => each.slug === game?.slug);
  if (!lease || !game || !gameConfig) return false;
  const { window } = await findPullJob(game.db, lease.gameId, lease.pullId);
  const which = `${game.slug} ${window.start.slice(0, 10)} to ${window.end.slice(0, 10)}`;
  let waiting: string | null = null;
  const run = await runPull(game, gameConfig, lease, {
    signal,
    onProgress: (progress) => {
      if (progress.waitingUntil !== null && progress.waitingUntil.slice(0, 19) !== waiting)
        say(
          `${which}: ${progress.calls} of ${progress.plannedCalls} calls, waiting for the rate limit until ${progress.waitingUntil.slice(11, 19)} UTC`,
        );
      waiting = progress.waitingUntil?.slice(0, 19) ?? null;
    },
  });
  const { calls, lines } = await findPullJob(game.db, lease.gameId, lease.pullId);
  say(run.ended === 'failed' ? `${which}: ${run.sentence}` : `${which}: pulled, ${calls} calls, ${lines} lines`);
  return true;
}

async function rest(signal: AbortSignal, ms = IDLE_MS): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

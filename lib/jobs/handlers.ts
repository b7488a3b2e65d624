import { randomUUID } from 'node:crypto';
import { runDue } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import { wakeOverdue, wakeWorker } from '#db/kit/wake.ts';
import { claimBalanceJob, deleteOldBalances } from '#lib/balances/writes/balance-queue.ts';
import { findPullJob } from '#lib/evidence/reads/pulls.ts';
import { claimPull, type Lease } from '#lib/evidence/writes/pull-queue.ts';
import { scheduleDetails } from '#lib/fees/request-details.ts';
import { runDetailJob } from '#lib/fees/run-detail-job.ts';
import { claimDetailJob } from '#lib/fees/writes/detail-queue.ts';
import { purgeBuckets } from '#lib/games/writes.ts';
import { instruments } from '#lib/observability/instruments.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { claimStatementJob } from '#lib/payouts/writes/store-statements.ts';
import { flagReported, matchReversals } from '#lib/refunds/writes/match-reversals.ts';
import { chainAudit } from '../audit/chain-audit.ts';
import { runBalanceJob } from '../balances/run-balance-job.ts';
import type { Config, GameConfig } from '../config.ts';
import { messageOf } from '../core/strings.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { schedulePulls } from '../evidence/pull/schedule-pulls.ts';
import { renderDue } from '../evidence/render-snapshot.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceMonths } from '../notices/announce.ts';
import type { Mailer } from '../notices/open-mailer.ts';
import { sendMails, sweepMails } from '../notices/send-mails.ts';
import { runStatementJob } from '../payouts/draw-statements.ts';
import type { RestoreGuard } from '../refunds/check-restore.ts';
import { requestDemoRefunds } from '../refunds/request-demo-refunds.ts';
import { sweepDeliveries } from '../webhooks/read-for-deliveries.ts';
import type { JobHandler, JobHandlers } from './engine.ts';
import { createDeliveryReader, createGameGuard, createGameLoop } from './game-loop.ts';
import { settleDueActions, settleDueRefunds } from './settle-due.ts';

const REFUND_CONCURRENCY = 3;
/** Games whose desk actions are settled at once: each reading waits for Invo's answer. */
const ACTION_CONCURRENCY = 3;
/** Games whose detail reports are read at once: a month takes minutes of its game's rate limit, and must not hold up another game. */
const DETAIL_CONCURRENCY = 4;

/** Games whose deliveries are followed at once: each reading waits for its own game's rate limit and for Invo's answer. */
const DELIVERY_CONCURRENCY = 8;
/** Jobs that read balances at once: a stream takes minutes and must not hold up another game. */
const BALANCE_CONCURRENCY = 3;

/** Games whose pulls one worker runs side by side. Each holds the lines of one slice in memory. */
const PULL_CONCURRENCY = 4;

interface HandlerOptions {
  /** Opens a configured game. */
  open: (game: GameConfig) => Promise<OpenGame>;
  db: Db;
  /** Holds the leases of this process. */
  owner: string;
  signal: AbortSignal;
  log: WorkerLog;
  /** Sends notices by email; null: they are shown only. */
  mailer?: Mailer | 'outbox' | null;
  /** Closes the demo's earlier months of a game; null: nobody does. */
  runDemoYear?: ((game: GameConfig) => Promise<void>) | null;
  /** Recognises a database that was restored from a backup; null: this process has no data folder to compare with. */
  restoreGuard?: RestoreGuard | null;
}

/** Writes one event to the log. */
type WorkerLog = (event: string, fields: LogFields) => void;
type LogFields = Parameters<typeof logEvent>[2];

/**
 * The work of each queue. A handler does everything that is due in the game of its job, so a burst of jobs costs one pass. Pulls and
 * refunds run beside each other: neither waits for the other's rate limit or for an answer Invo never sends.
 */
export function createHandlers(
  config: Pick<Config, 'games' | 'isSimulated' | 'hasDemoRefunds' | 'readsDetails' | 'origin'>,
  options: HandlerOptions,
): JobHandlers {
  const { db, owner, signal, log, mailer = null, restoreGuard: guard = null, runDemoYear = null } = options;
  const forGames = createGameLoop(config, options);
  const oneAtATime = createGameGuard();
  const readDelivered = createDeliveryReader(options);
  /** A queue whose jobs wait in rows of their own. */
  function forJobs<Lease>(
    concurrency: number,
    event: string,
    claim: Work<Lease>['claim'],
    run: (lease: Lease, game: OpenGame, gameConfig: GameConfig) => ReturnType<Work<Lease>['run']>,
  ): JobHandler {
    const runGame = (game: OpenGame, gameConfig: GameConfig): Promise<void> =>
      runWaiting(game, options, { event, claim, run: (lease) => run(lease, game, gameConfig) });
    return { concurrency, run: (gameId) => forGames(gameId, runGame) };
  }

  return {
    pull: {
      concurrency: PULL_CONCURRENCY,
      run: (gameId) =>
        forGames(gameId, (game, gameConfig) =>
          oneAtATime(game.gameId, () =>
            runWaiting(game, options, {
              event: 'pull',
              // The process owns the lease, not this claim: after an error it continues its own pull at once.
              claim: (_, __, gameId) => claimPull(db, owner, { gameId }),
              run: (lease) => workOnPull(game, gameConfig, lease, options),
              after: async () => {
                await compareWithReports(game);
                await announceMonths(game);
                if (runDemoYear !== null) await wakeWorker(game.db, { queue: 'demo', gameId: game.gameId });
              },
            }),
          ),
        ),
    },
    refund: {
      concurrency: REFUND_CONCURRENCY,
      run: (gameId) => forGames(gameId, (game, gameConfig) => settleDueRefunds(game, gameConfig, { owner, signal, log, guard })),
    },
    actions: {
      concurrency: ACTION_CONCURRENCY,
      run: (gameId) =>
        forGames(gameId, (game, gameConfig) => settleDueActions({ game, config: gameConfig }, { owner, signal, log, guard })),
    },
    rendition: { concurrency: 1, run: (gameId) => forGames(gameId, (game) => renderMonths(game, { signal, log })) },
    details: forJobs(DETAIL_CONCURRENCY, 'detail reports', claimDetailJob, async (lease, game, gameConfig) => ({
      ...(await runDetailJob(game, gameConfig, lease, { signal })),
      subject: { detailJobId: lease.detailJobId },
    })),
    statements: forJobs(1, 'statements', claimStatementJob, async (lease, game) => ({
      ...(await runStatementJob(game, lease, signal)),
      subject: { statementJobId: lease.statementJobId },
    })),
    balances: forJobs(BALANCE_CONCURRENCY, 'balances', claimBalanceJob, async (lease, game, gameConfig) => ({
      ...(await runBalanceJob(game, gameConfig, lease, { signal })),
      subject: { balanceJobId: lease.balanceJobId },
    })),
    notices: {
      concurrency: 1,
      run: (gameId) =>
        forGames(gameId, async (game) => {
          if (mailer !== null) await sendMails(game, mailer, { origin: config.origin, signal, log });
        }),
    },
    deliveries: {
      concurrency: DELIVERY_CONCURRENCY,
      run: (gameId) => forGames(gameId, (game, gameConfig) => readDelivered({ game, config: gameConfig })),
    },
    ...(runDemoYear !== null && {
      demo: { concurrency: 1, run: (gameId: number | null) => forGames(gameId, (_, gameConfig) => runDemoYear(gameConfig)) },
    }),
    tick: {
      concurrency: 1,
      run: async () => {
        await orLog(options, async () => await guard?.advance());
        await orLog(options, () => chainAudit(db, signal));
        await forGames(null, async (game, gameConfig) => {
          await schedulePulls(game, config.isSimulated);
          if (config.hasDemoRefunds) await requestDemoRefunds({ game, config: gameConfig }, config);
          if (runDemoYear !== null) await wakeWorker(game.db, { queue: 'demo', gameId: game.gameId });
          await compareWithReports(game);
          if (config.readsDetails) await scheduleDetails(game);
          await wakeOverdue(game.db, game.gameId);
          await wakeWorker(game.db, { queue: 'rendition', gameId: game.gameId });
          await announceMonths(game);
          await deleteOldBalances(game.db, game.gameId);
          await purgeBuckets(game.db, game.gameId);
          if (mailer !== null) await sweepMails(game);
          await sweepDeliveries({ game, config: gameConfig });
        });
      },
    },
  };
}

/** Does a part of a tick. An error delays nothing else. */
async function orLog({ signal, log }: Pick<HandlerOptions, 'signal' | 'log'>, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) log('error', { message: messageOf(error) });
  }
}

/** How waiting jobs of a kind are worked on. */
interface Work<Lease> {
  /** Names the log line of a job's end. */
  event: string;
  /** `owner` names one claim. */
  claim: (db: Db, owner: string, gameId: number) => Promise<Lease | null>;
  /** Runs a claimed job to its end; returns how it ended, and what the log says of it. */
  run: (lease: Lease) => Promise<{ ended: string; sentence?: string; subject: LogFields }>;
  /** What follows a job that ended. */
  after?: () => Promise<void>;
}

/** Runs the waiting jobs of a game one after another, each under a lease of its own, until none waits or the process stops. */
async function runWaiting<Lease>(
  { db, gameId, slug }: Pick<OpenGame, 'db' | 'gameId' | 'slug'>,
  { owner, signal, log }: Pick<HandlerOptions, 'owner' | 'signal' | 'log'>,
  { event, claim, run, after }: Work<Lease>,
): Promise<void> {
  await runDue(signal, async () => {
    const lease = await claim(db, `${owner} ${randomUUID()}`, gameId);
    if (lease === null) return false;
    const started_at = performance.now();
    const { ended, sentence, subject } = await run(lease);
    const failure = sentence === undefined ? {} : { message: sentence };
    log(event, { game: slug, ...subject, outcome: ended, ms: Math.round(performance.now() - started_at), ...failure });
    if (!signal.aborted) await after?.();
    return true;
  });
}

/** Runs a claimed pull, and logs its waits and its measures. */
async function workOnPull(
  game: OpenGame,
  config: GameConfig,
  lease: Lease,
  { signal, log }: Pick<HandlerOptions, 'signal' | 'log'>,
): ReturnType<Work<Lease>['run']> {
  const { window } = await findPullJob(game.db, lease.gameId, lease.pullId);
  const subject = { pullId: lease.pullId, from: window.start.slice(0, 10), to: window.end.slice(0, 10) };
  const started_at = performance.now();
  let waiting: string | null = null;
  const run = await runPull(game, config, lease, {
    signal,
    onProgress: ({ calls, plannedCalls, waitingUntil }) => {
      if (waitingUntil !== null && waitingUntil.slice(0, 19) !== waiting)
        log('pull waits', { game: game.slug, ...subject, calls, plannedCalls, until: waitingUntil });
      waiting = waitingUntil?.slice(0, 19) ?? null;
    },
  });
  instruments().pullSeconds.observe({ outcome: run.ended }, (performance.now() - started_at) / 1_000);
  const { calls, lines } = await findPullJob(game.db, lease.gameId, lease.pullId);
  return { ...run, subject: { ...subject, calls, lines } };
}

/** Renders the complete months of a game that are not rendered yet, and logs its progress when there are many: an older database has none. */
async function renderMonths(game: OpenGame, { signal, log }: Pick<HandlerOptions, 'signal' | 'log'>): Promise<void> {
  await renderDue(game, {
    signal,
    onProgress: (rendered, left) => {
      if (left > 0) log('months rendered', { game: game.slug, rendered, left });
    },
  });
}

/** Compares the refunds of a game with the pulled reports: the reversals that are expected, and those that nobody expects. */
async function compareWithReports({ db, gameId }: Pick<OpenGame, 'db' | 'gameId'>): Promise<void> {
  await matchReversals(db, gameId);
  await flagReported(db, gameId);
}

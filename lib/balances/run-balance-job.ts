import { LeaseLost } from '#db/kit/lease.ts';
import type { GameConfig } from '#lib/config.ts';
import { connectInvo, toInvoFailure } from '../games/game-context.ts';
import { type OpenGame } from '../games/open-game.ts';
import type { Invo, StreamLimits } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { BATCH_MAX, readBalanceBatch, streamBalances } from '../invo/undocumented/player-balances.ts';
import type { BatchAnswer, Wallet } from '../invo/undocumented/wallets.ts';
import { findBalanceJob } from './reads.ts';
import { judgeBalances } from './rules/balance-job.ts';
import { addressKey } from './rules/parse-addresses.ts';
import { formatStreamCut, GAVE_UP, STOPPED, STREAM_LOST } from './text.ts';
import { type BalanceLease, endBalanceJob, releaseBalanceJob, renewBalanceLease } from './writes/balance-queue.ts';
import {
  type AnsweredEntry,
  countUnrequested,
  listUnrequested,
  type StreamedPlayer,
  startReading,
  storeBatch,
  storeStreamed,
  type UnrequestedAddress,
} from './writes/store-balances.ts';

/** How often the lease is renewed and a stop is noticed. */
const HEARTBEAT_MS = 1_000;
/** Attempts after which a job is ended: what fails each time needs a person. */
const ATTEMPTS_MAX = 20;
/** Records of a stream stored at once. */
const STORED_AT_ONCE = 1_000;

export type BalanceRun = 'done' | 'stopped' | 'failed' | 'released' | 'lost';

/** Why a job ended before everything was read. */
interface Cut {
  state: 'stopped' | 'failed';
  sentence: string;
}

export interface BalanceRunOptions {
  signal?: AbortSignal | undefined;
  /** Addresses of one call; a test asks for fewer. */
  batchMax?: number;
  streamLimits?: Partial<StreamLimits>;
}

/**
 * Runs a claimed job to its end. A list continues where an earlier attempt stopped: what was stored is not requested again. A stream has one attempt:
 * whatever ends it early leaves an incomplete file. Everything that was read stays stored.
 */
export async function runBalanceJob(
  game: OpenGame,
  config: GameConfig,
  lease: BalanceLease,
  options: BalanceRunOptions = {},
): Promise<BalanceRun> {
  const { signal } = options;
  const heart = startHeart(game, lease, signal);
  const invo = connectInvo(game, config, { caller: 'pull', onWait: heart.waits });
  const reading: Reading = { game, lease, invo, heart, options };
  try {
    await heart.beat();
    const cut = await readAll(reading);
    if (cut === 'released') {
      await releaseBalanceJob(game.db, lease);
      return 'released';
    }
    return await endJob(game, lease, cut);
  } catch (error) {
    if ((heart.lost() ?? error) instanceof LeaseLost) return 'lost';
    throw error;
  } finally {
    heart.stop();
  }
}

interface Reading {
  game: OpenGame;
  lease: BalanceLease;
  invo: Invo;
  heart: Heart;
  options: BalanceRunOptions;
}

/** Null: everything was read. */
async function readAll(reading: Reading): Promise<Cut | 'released' | null> {
  const { game, lease, heart } = reading;
  if (heart.isStopped()) return { state: 'stopped', sentence: STOPPED };
  if (lease.attemptCount > ATTEMPTS_MAX) return { state: 'failed', sentence: GAVE_UP };
  if (lease.scope === 'all' && lease.attemptCount > 1) return { state: 'failed', sentence: STREAM_LOST };
  await startReading(game.db, lease);
  return lease.scope === 'some' ? await readList(reading) : await readStream(reading);
}

async function readList({ game, lease, invo, heart, options }: Reading): Promise<Cut | 'released' | null> {
  for (;;) {
    const addresses = await listUnrequested(game.db, lease, options.batchMax ?? BATCH_MAX);
    if (addresses.length === 0) return null;
    try {
      const { value } = await readBalanceBatch(
        invo,
        addresses.map(({ email }) => email),
        heart.signal,
      );
      await storeBatch(game.db, lease, outcomesOf(addresses, value), {
        strangers: countStrangers(addresses, value),
        repeated: value.repeatedCount,
      });
    } catch (error) {
      if (!(error instanceof InvoError)) throw error;
      if (heart.isStopped()) return { state: 'stopped', sentence: STOPPED };
      if (options.signal?.aborted) return 'released';
      if (heart.lost() !== null) throw error;
      return { state: 'failed', sentence: toInvoFailure(error).sentence };
    }
  }
}

/** What an answer reports for each requested address; one it doesn't mention has no answer, and never a balance of 0. */
function outcomesOf(addresses: readonly UnrequestedAddress[], { answers }: BatchAnswer): AnsweredEntry[] {
  return addresses.map(({ entryNo, email }) => {
    const answer = answers.get(addressKey(email));
    if (answer === undefined) return { entryNo, outcome: 'unanswered', reason: 'no_answer', wallet: null };
    if (answer.kind === 'unknown') return { entryNo, outcome: 'unknown', reason: null, wallet: null };
    if (answer.kind === 'unreadable') return { entryNo, outcome: 'unanswered', reason: answer.reason, wallet: null };
    return { entryNo, outcome: 'found', reason: null, wallet: answer.wallet };
  });
}

function countStrangers(addresses: readonly UnrequestedAddress[], { answers }: BatchAnswer): number {
  const requested = new Set(addresses.map(({ email }) => addressKey(email)));
  return [...answers.keys()].filter((key) => !requested.has(key)).length;
}

async function readStream({ game, lease, invo, heart, options }: Reading): Promise<Cut | null> {
  let stored = 0;
  let unreadable = 0;
  let players: StreamedPlayer[] = [];
  let receivedBytes = (): number => 0;
  const flush = async (): Promise<void> => {
    const taken = { players, unreadable };
    [players, unreadable] = [[], 0];
    heart.count(receivedBytes());
    stored = await storeStreamed(game.db, lease, taken.players, { unreadable: taken.unreadable, receivedBytes: receivedBytes(), stored });
  };
  try {
    const stream = await streamBalances(invo, { signal: heart.signal, limits: options.streamLimits ?? {} });
    receivedBytes = stream.receivedBytes;
    for await (const record of stream.records) {
      if (record.kind === 'wallet') players.push(toPlayer(record));
      else if (record.kind === 'unreadable') unreadable += 1;
      if (players.length >= STORED_AT_ONCE) await flush();
    }
    await flush();
    return null;
  } catch (error) {
    if (!(error instanceof InvoError) || heart.lost() !== null) throw error;
    await flush();
    if (heart.isStopped()) return { state: 'stopped', sentence: STOPPED };
    if (options.signal?.aborted) return { state: 'failed', sentence: STREAM_LOST };
    return { state: 'failed', sentence: formatStreamCut(error, toInvoFailure(error).sentence) };
  }
}

/** A player met again has the id, where Invo gives one, whatever the email is by then. */
function toPlayer({ wallet, isFlat }: { wallet: Wallet; isFlat: boolean }): StreamedPlayer {
  const { email, playerId } = wallet;
  return { key: playerId === null ? addressKey(email ?? '') : `player ${playerId}`, email, wallet, isFlat };
}

async function endJob(game: OpenGame, lease: BalanceLease, cut: Cut | null): Promise<'done' | 'stopped' | 'failed'> {
  const job = await findBalanceJob(game.db, lease.gameId, lease.balanceJobId);
  if (job === null) throw new Error(`balance job ${lease.balanceJobId} is gone`);
  const heldBack = lease.scope === 'some' ? await countUnrequested(game.db, lease) : 0;
  const state = cut?.state ?? 'done';
  const failure = state === 'failed' ? (cut?.sentence ?? null) : null;
  await endBalanceJob(game.db, lease, { state, failure, heldBack, ...judgeBalances(job, cut?.sentence ?? null, heldBack) });
  return state;
}

interface Heart {
  signal: AbortSignal;
  beat(): Promise<void>;
  waits(untilMs: number | null): void;
  count(receivedBytes: number): void;
  isStopped(): boolean;
  lost(): LeaseLost | null;
  stop(): void;
}

/** Renews the lease during a long call; its signal ends the call when a person stops the job or the lease is lost. */
function startHeart(game: OpenGame, lease: BalanceLease, signal: AbortSignal | undefined): Heart {
  const stopper = new AbortController();
  const progress = { waitingUntil: null as string | null, receivedBytes: 0 };
  let lost: LeaseLost | null = null;
  let isStopped = false;
  let isBeating = false;
  async function beat(): Promise<void> {
    // A beat waits while an answer is being stored; others must not queue behind it.
    if (isBeating) return;
    isBeating = true;
    try {
      isStopped = await renewBalanceLease(game.db, lease, progress);
      if (isStopped) stopper.abort();
    } catch (error) {
      // A database that is away for a moment is no reason to stop: the lease decides, and every write asks it again.
      if (!(error instanceof LeaseLost)) return;
      lost = error;
      stopper.abort(error);
    } finally {
      isBeating = false;
    }
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return {
    signal: signal ? AbortSignal.any([signal, stopper.signal]) : stopper.signal,
    beat,
    waits: (untilMs) => {
      progress.waitingUntil = untilMs === null ? null : new Date(untilMs).toISOString();
    },
    count: (receivedBytes) => {
      progress.receivedBytes = receivedBytes;
    },
    isStopped: () => isStopped,
    lost: () => lost,
    stop: () => clearInterval(timer),
  };
}

import { ATTEMPTS_MAX, type Left, type Running } from '#db/kit/lease.ts';
import type { GameConfig } from '#lib/config.ts';
import { connectInvo, toInvoFailure, waitEnd } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Invo, StreamLimits } from '../invo/invo.ts';
import { InvoError } from '../invo/invo-error.ts';
import { BATCH_MAX, readBalanceBatch, streamBalances } from '../invo/undocumented/player-balances.ts';
import type { BatchAnswer, Wallet } from '../invo/undocumented/wallets.ts';
import { findBalanceJob } from './reads.ts';
import { addressKey } from './rules/address-list.ts';
import { judgeBalances } from './rules/balance-job.ts';
import { formatStreamCut, GAVE_UP, STOPPED, STREAM_LOST } from './text.ts';
import { BALANCE_JOBS, type BalanceLease, type BalanceProgress, endBalanceJob } from './writes/balance-queue.ts';
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

/** Records of a stream stored at once. */
const STORED_AT_ONCE = 1_000;

export type BalanceRun = { ended: 'done' | 'stopped' | 'failed' } | Left;

/** Why a job ended before everything was read. */
interface Cut {
  state: 'stopped' | 'failed';
  sentence: string;
}

export interface BalanceRunOptions {
  signal?: AbortSignal | undefined;
  /** Addresses of one call; a test sets fewer. */
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
  const progress: BalanceProgress = { waitingUntil: null, receivedBytes: 0 };
  return await BALANCE_JOBS.run(game.db, lease, { progress, signal: options.signal }, async (running) => {
    const invo = connectInvo(game, config, { caller: 'pull', onWait: (untilMs) => void (progress.waitingUntil = waitEnd(untilMs)) });
    return { ended: await endJob(game, lease, await readAll({ game, lease, invo, running, progress, options })) };
  });
}

interface Reading {
  game: OpenGame;
  lease: BalanceLease;
  invo: Invo;
  running: Running;
  progress: BalanceProgress;
  options: BalanceRunOptions;
}

/** Null: everything was read. */
async function readAll(reading: Reading): Promise<Cut | null> {
  const { game, lease, running } = reading;
  if (running.isStopped()) return { state: 'stopped', sentence: STOPPED };
  if (lease.attemptCount > ATTEMPTS_MAX) return { state: 'failed', sentence: GAVE_UP };
  if (lease.scope === 'all' && lease.attemptCount > 1) return { state: 'failed', sentence: STREAM_LOST };
  await startReading(game.db, lease);
  return lease.scope === 'some' ? await readList(reading) : await readStream(reading);
}

async function readList({ game, lease, invo, running, options }: Reading): Promise<Cut | null> {
  for (;;) {
    const addresses = await listUnrequested(game.db, lease, options.batchMax ?? BATCH_MAX);
    if (addresses.length === 0) return null;
    try {
      const { value } = await readBalanceBatch(
        invo,
        addresses.map(({ email }) => email),
        running.signal,
      );
      await storeBatch(game.db, lease, outcomesOf(addresses, value), {
        strangers: countStrangers(addresses, value),
        repeated: value.repeatedCount,
      });
    } catch (error) {
      if (!(error instanceof InvoError)) throw error;
      if (running.isStopped()) return { state: 'stopped', sentence: STOPPED };
      if (running.isLeft()) throw error;
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

async function readStream({ game, lease, invo, running, progress, options }: Reading): Promise<Cut | null> {
  let stored = 0;
  let unreadable = 0;
  let players: StreamedPlayer[] = [];
  let receivedBytes = (): number => 0;
  const flush = async (): Promise<void> => {
    const taken = { players, unreadable };
    [players, unreadable] = [[], 0];
    progress.receivedBytes = receivedBytes();
    stored = await storeStreamed(game.db, lease, taken.players, { unreadable: taken.unreadable, receivedBytes: receivedBytes(), stored });
  };
  try {
    const stream = await streamBalances(invo, { signal: running.signal, limits: options.streamLimits ?? {} });
    receivedBytes = stream.receivedBytes;
    for await (const record of stream.records) {
      if (record.kind === 'wallet') players.push(toPlayer(record));
      else if (record.kind === 'unreadable') unreadable += 1;
      if (players.length >= STORED_AT_ONCE) await flush();
    }
    await flush();
    return null;
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    // Throws where another process has the job.
    await flush();
    if (running.isStopped()) return { state: 'stopped', sentence: STOPPED };
    if (running.isLeft()) return { state: 'failed', sentence: STREAM_LOST };
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

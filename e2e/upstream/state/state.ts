import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArmedFaults, createArmedFaults } from '../faults/armed-faults.ts';
import { type Book, openBook } from '../game-view.ts';
import { readInstant } from '../instant.ts';
import type { Environment, PartnerBasis, ReversalBasis, World } from '../model.ts';
import { openWorlds } from '../world/worlds.ts';
import { type CallLog, createCallLog, createHeldCalls, createRateLimiter, type HeldCalls, type RateLimiter } from './calls.ts';
import { freshGames, type GameSecrets, type GameSettings } from './games.ts';
import { createDeskStore, createRefundStore, type DeskStore, type KeptRefund, type RefundStore, type WrittenDesk } from './stores.ts';

export interface StateOptions extends GameSecrets {
  /** A fixed clock; absent, the clock is the machine's until a control call sets it. */
  now?: string | undefined;
  stateFolder?: string | undefined;
  world?: string | undefined;
  /** The time the meters go by; default the machine's. */
  meterNowMs?: (() => number) | undefined;
}

/** Everything the service remembers between calls. */
export interface State {
  worlds: Record<Environment, World>;
  games: Record<Environment, GameSettings>;
  faults: ArmedFaults;
  calls: CallLog;
  held: HeldCalls;
  limiter: RateLimiter;
  nowMs(): number;
  setClock(ms: number | null): void;
  book(environment: Environment): Book;
  refundStore(environment: Environment): RefundStore;
  addRefund(environment: Environment, refund: KeptRefund): void;
  desk(environment: Environment): DeskStore;
  /** Writes everything that survives a restart, in one file at once. */
  save(): void;
  reset(): void;
}

/** Opens the service's memory, with what an earlier run left in the folder. A given `now` wins over a remembered clock. */
export function openState(options: StateOptions): State {
  const file = openMemoryFile(options.stateFolder);
  const givenMs = options.now === undefined ? null : readClock(options.now);
  const refunds: Record<Environment, RefundStore> = { production: createRefundStore(), sandbox: createRefundStore() };
  const games = freshGames(options);
  const faults = createArmedFaults();
  const calls = createCallLog();
  const held = createHeldCalls();
  const limiter = createRateLimiter(options.meterNowMs ?? (() => performance.now()));
  const written = file.read();
  let clockMs = givenMs ?? written.clockMs;
  const desks = { production: createDeskStore(written.desks?.production), sandbox: createDeskStore(written.desks?.sandbox) };
  for (const { environment, amount, ...rest } of written.refunds) refunds[environment].add({ ...rest, amount: BigInt(amount) });
  const worlds = openWorlds(options.world ?? 'demo');

  function nowMs(): number {
    return clockMs ?? Date.now();
  }
  function write(): void {
    file.write(() => ({
      clockMs: clockMs === givenMs ? null : clockMs,
      refunds: (['production', 'sandbox'] as const).flatMap((environment) =>
        refunds[environment].all().map((refund) => ({ ...refund, environment, amount: refund.amount.toString() })),
      ),
      desks: { production: desks.production.written(), sandbox: desks.sandbox.written() },
    }));
  }
  return {
    worlds,
    games,
    faults,
    calls,
    held,
    limiter,
    nowMs,
    setClock(ms): void {
      clockMs = ms ?? givenMs;
      write();
    },
    book: (environment) =>
      openBook({
        world: worlds[environment],
        remembered: refunds[environment],
        desk: desks[environment],
        nowMs: nowMs(),
        lineOrder: games[environment].lineOrder,
      }),
    desk: (environment) => desks[environment],
    save: write,
    refundStore: (environment) => refunds[environment],
    addRefund(environment, refund): void {
      refunds[environment].add(refund);
      write();
    },
    reset(): void {
      for (const store of [...Object.values(refunds), ...Object.values(desks)]) store.clear();
      Object.assign(games, freshGames(options));
      faults.clear();
      held.cut();
      calls.clear();
      limiter.clear();
      clockMs = givenMs;
      file.forget();
    },
  };
}

/** Reads a clock setting; a setting that is no instant is a mistake of whoever starts the service. */
export function readClock(text: string): number {
  const instant = readInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant.ceilMs;
}

interface WrittenRefund {
  environment: Environment;
  periodId: number;
  atMs: number;
  /** Ten-thousandths of a dollar. */
  amount: string;
  basis: ReversalBasis;
  partnerBasis: PartnerBasis;
  transactionId?: string;
  clientRequestId?: string;
}

interface Written {
  clockMs: number | null;
  refunds: WrittenRefund[];
  /** Absent in a file of before support's routes. */
  desks?: Record<Environment, WrittenDesk>;
}

export interface MemoryFile {
  read(): Written;
  /** `make` is called only where something is kept. */
  write(make: () => Written): void;
  forget(): void;
}

/** The one file that survives a restart; without a folder nothing does. */
export function openMemoryFile(folder: string | undefined): MemoryFile {
  const nothing: Written = { clockMs: null, refunds: [] };
  if (folder === undefined) return { read: () => nothing, write: () => undefined, forget: () => undefined };
  const path = join(folder, 'upstream-state.json');
  return {
    read(): Written {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as Written;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
        throw error;
      }
    },
    write(make): void {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(make()));
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}

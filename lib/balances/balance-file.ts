import type { Db } from '#db/kit/open.ts';
import { exportFile, type FileFacts, writeCsv } from '#lib/audit/export-file.ts';
import type { GameRef } from '../core/game.ts';
import { XLSX_ROWS_MAX } from '../core/xlsx.ts';
import { type BalanceJob, type CurrencySum, countBalanceRows, findBalanceJob, streamBalanceFile, sumBalances } from './reads.ts';
import { BALANCE_COLUMNS, countUnanswered } from './rules/balance-job.ts';
import { formatErasedRows } from './text.ts';

export const BALANCE_FORMATS = ['csv', 'xlsx'] as const;
export type BalanceFormat = (typeof BALANCE_FORMATS)[number];

/** Describes a file of balances. */
export interface BalanceManifest extends FileFacts {
  game: string;
  environment: string;
  sheet: 'balances';
  job: number;
  scope: 'some' | 'all';
  /** Balances change while they are read: they are those of no one instant. */
  read_from: string | null;
  read_until: string | null;
  rows: number;
  /** Of these, rows of people who were erased: without email, name and identity. */
  rows_erased: number;
  counts: {
    lines: number | null;
    /** Lines whose address an earlier line has: each has its own row. */
    lines_repeated: number | null;
    addresses: number | null;
    found: number;
    unknown: number;
    /** Null: unknown, because a stream of all players broke off. */
    not_answered: number | null;
    strangers: number;
    repeated: number;
  };
  /** Each player once, per currency; currencies are never added. */
  sums: CurrencySum[];
  complete: boolean;
  reasons: string[];
}

export interface BalanceFile {
  ok: true;
  fileName: string;
  isComplete: boolean;
  /** The file in pieces. */
  bytes: AsyncIterable<Uint8Array>;
  /** Throws until the bytes have been read to their end. */
  manifest(): BalanceManifest;
}

export type NoBalanceFile = { ok: false; reason: 'no_job' | 'running' | 'deleted' | 'too_many_rows' };

/** The file of a job that has ended, with its audit row when someone downloads it: `takenBy`. It is read over the connections of `files`. */
export async function openBalanceFile(
  { db, files }: { db: Db; files: Db },
  game: GameRef,
  { balanceJobId, format, takenBy }: { balanceJobId: number; format: BalanceFormat; takenBy?: string },
): Promise<BalanceFile | NoBalanceFile> {
  const job = await findBalanceJob(db, game.gameId, balanceJobId);
  if (job === null) return { ok: false, reason: 'no_job' };
  if (job.endedAt === null) return { ok: false, reason: 'running' };
  if (job.filesDeletedAt !== null) return { ok: false, reason: 'deleted' };
  const { count: rows, erased } = await countBalanceRows(db, game, balanceJobId);
  if (format === 'xlsx' && rows > XLSX_ROWS_MAX) return { ok: false, reason: 'too_many_rows' };
  const sums = await sumBalances(db, game.gameId, balanceJobId);
  const file = await exportFile(db, {
    fileName: nameFile(game.slug, job, format),
    gameId: game.gameId,
    takenBy,
    sheet: 'balances',
    columns: BALANCE_COLUMNS,
    csv: writeCsv(BALANCE_COLUMNS, streamBalanceFile(files, game, balanceJobId)),
    isDigested: true,
  });
  const manifest = (): BalanceManifest => ({
    game: game.slug,
    environment: game.environment,
    sheet: 'balances',
    job: job.balanceJobId,
    scope: job.scope,
    read_from: job.readFrom,
    read_until: job.readUntil,
    counts: {
      lines: job.lineCount,
      lines_repeated: job.lineCount === null || job.addressCount === null ? null : job.lineCount - job.addressCount,
      addresses: job.addressCount,
      found: job.foundCount,
      unknown: job.unknownCount,
      not_answered: countUnanswered(job),
      strangers: job.strangerCount,
      repeated: job.repeatedCount,
    },
    rows,
    rows_erased: erased,
    sums,
    complete: job.isComplete === true,
    reasons: [...job.reasons, ...(erased === 0 ? [] : [formatErasedRows(erased)])],
    ...file.facts(),
  });
  return { ok: true, fileName: file.fileName, isComplete: job.isComplete === true, bytes: file.bytes, manifest };
}

/** The name of a job's file: `game-balances-7-2026-11-21.incomplete.csv`. */
function nameFile(slug: string, job: BalanceJob, format: BalanceFormat): string {
  const day = (job.endedAt ?? '').slice(0, 10);
  return `${slug}-balances-${job.balanceJobId}-${day}${job.isComplete === true ? '' : '.incomplete'}.${format}`;
}

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  type CompleteWindow,
  listComparedSnapshots,
  listCompleteWindows,
  listFirstAppearances,
  listNets,
} from '#db/evidence/reads/renditions.ts';
import { lockCurrentSnapshots, type NewComparison, upsertComparisons } from '#db/evidence/writes/renditions.ts';
import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '../core/instant.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import { addMonths, listMonths, type Month, monthOfWindow } from '../core/month.ts';
import { type ComparisonColumns, type ComparisonHead, HEAD_ROWS, RENDITION_VERSION } from './rules/table-answer.ts';

/** Months a recipient's figures are shown over. */
const MONTHS_SHOWN = 6;

/** Times a comparison is made again because a snapshot became current meanwhile; the next job continues. */
const TRIES = 3;

/**
 * Compares the recipients of every complete month that is not compared yet with the months before it, and stores the result. It is made
 * without a lock, and stored only while the snapshots it was made from are still current.
 */
export async function compareMonths({ db, gameId, timeZone }: { db: Db; gameId: number; timeZone: string }): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const windows = await listCompleteWindows(db, gameId);
    const compared = await listComparedSnapshots(db, gameId, RENDITION_VERSION);
    const due = await makeComparisons(db, { gameId, timeZone }, windows, (snapshotId) => !compared.has(snapshotId));
    if (due.length === 0) return;
    const isStored = await db.transaction().execute(async (trx) => {
      await lockCurrentSnapshots(trx, gameId);
      const now = await listCompleteWindows(trx, gameId);
      if (now.map((window) => window.snapshotId).join() !== windows.map((window) => window.snapshotId).join()) return false;
      await upsertComparisons(trx, gameId, RENDITION_VERSION, due);
      return true;
    });
    if (isStored) return;
  }
}

/** Makes the comparisons of the complete months among these windows that are wanted. Writes nothing. */
export async function makeComparisons(
  db: Db,
  { gameId, timeZone }: { gameId: number; timeZone: string },
  windows: CompleteWindow[],
  isWanted: (snapshotId: number) => boolean,
): Promise<NewComparison[]> {
  const byMonth = new Map(
    windows.flatMap((window): [Month, CompleteWindow][] => {
      const month = monthOfWindow(window, timeZone);
      return month === null ? [] : [[month, window]];
    }),
  );
  const wanted = [...byMonth].filter(([, window]) => isWanted(window.snapshotId));
  if (wanted.length === 0) return [];
  const needed = new Set(wanted.flatMap(([month]) => recentMonths(month)).flatMap((month) => byMonth.get(month)?.snapshotId ?? []));
  const nets = new Map<number, Map<number, string>>();
  for (const row of await listNets(db, gameId, [...needed])) {
    const own = nets.get(row.snapshot_id) ?? new Map<number, string>();
    nets.set(row.snapshot_id, own.set(row.recipient_player_id, row.net_attributed_usd));
  }
  const firstEnds = await listFirstAppearances(db, gameId);
  const hasEarlier = (window: CompleteWindow): boolean => windows.some(({ end }) => compareInstants(end, window.start) <= 0);
  return wanted.map(([month, window]) =>
    writeComparison(
      window,
      compareMonth(month, byMonth, nets, (player) => hasEarlier(window) && isFirst(firstEnds.get(player), window)),
    ),
  );
}

function recentMonths(month: Month): Month[] {
  return listMonths(addMonths(month, 1 - MONTHS_SHOWN), month);
}

/** Whether no complete window that ended at or before this one's start has the recipient. */
function isFirst(firstEnd: string | undefined, window: CompleteWindow): boolean {
  return firstEnd === undefined || compareInstants(firstEnd, window.start) > 0;
}

/** The recipients of a complete month beside the five months before it; nets by snapshot and player, each snapshot's in the order of the sheet. */
function compareMonth(
  month: Month,
  byMonth: Map<Month, { snapshotId: number }>,
  nets: Map<number, Map<number, string>>,
  isFirstTime: (player: number) => boolean,
): ComparisonHead {
  const months = recentMonths(month);
  const netsOf = (each: Month | undefined): Map<number, string> | undefined => nets.get(byMonth.get(each ?? '')?.snapshotId ?? 0);
  const own = netsOf(month) ?? new Map<number, string>();
  const before = netsOf(months.at(-2));
  const players = [...own.keys()];
  const first = players.map(isFirstTime);
  const previous = players.map((player) => before?.get(player) ?? null);
  return {
    months,
    hasPrevious: before !== undefined,
    nets: months.slice(0, -1).map((each) => players.map((player) => netsOf(each)?.get(player) ?? null)),
    isFirstTime: first,
    counts: {
      first: first.filter(Boolean).length,
      changed:
        before === undefined
          ? 0
          : players.filter((player, place) => compareMoney(own.get(player) ?? '0', previous[place] ?? '0') !== 0).length,
    },
    previousNet: sumMoney(previous.filter((net) => net !== null)),
  };
}

function writeComparison({ snapshotId, start, end }: CompleteWindow, comparison: ComparisonHead): NewComparison {
  const { counts, previousNet, ...all } = comparison;
  const body = Buffer.from(JSON.stringify(all satisfies ComparisonColumns));
  const head: ComparisonHead = {
    ...comparison,
    nets: all.nets.map((column) => column.slice(0, HEAD_ROWS)),
    isFirstTime: all.isFirstTime.slice(0, HEAD_ROWS),
    counts,
    previousNet,
  };
  return {
    window: { start, end },
    snapshotId,
    head: JSON.stringify(head),
    body: gzipSync(body),
    sha256: createHash('sha256').update(body).digest(),
  };
}

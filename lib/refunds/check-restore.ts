import fs from 'node:fs';
import path from 'node:path';
import type { Db } from '#db/kit/open.ts';
import { openKnownPayouts, syncFolder } from '../payouts/known-payouts.ts';
import { RESTORE_REASON } from './text.ts';
import { advanceMark, type DatabaseMark, findMark, findRootLineage, recordRestore } from './writes/restores.ts';

/** Compares the step of the database with the one stored in the data folder. */
export interface RestoreGuard {
  /** Pauses all refunds, payouts and desk actions when the database is an older copy of what this folder knows. True when they were paused by this call. */
  check(): Promise<boolean>;
  /** Whether this folder can tell if the database was restored: it has seen it before, or the database is new. */
  knows(): Promise<boolean>;
  /**
   * Moves the mark one step on, in the database and then in the folder, and stores there which payout runs were approved and which payment files made. Throws when the database
   * is an older copy, after pausing all refunds, payouts and desk actions.
   */
  advance(): Promise<void>;
}

export interface RestoreGuardOptions {
  db: Db;
  /** The data folder. */
  folder: string;
  /** Names the process. */
  owner: string;
}

/**
 * Guards refunds and payouts against a database that was restored from a backup: refunds sent and runs approved after the backup would be unknown to it. Before each call the
 * mark advances in the database and then in the data folder, so the folder never has a step that the database had not reached. A database
 * behind the folder is an older copy, and its mark never advances. The folder is read before the database: another process
 * may move both in between, and the database would seem to be behind. The folder's marks are files named `LINEAGE.STEP`, so that processes
 * sharing it can't overwrite each other's.
 */
export function openRestoreGuard({ db, folder, owner }: RestoreGuardOptions): RestoreGuard {
  const marks = path.join(folder, 'marks');
  const payouts = openKnownPayouts(db, folder);
  const pause = async (mark: DatabaseMark, stepSeen: number): Promise<boolean> => {
    const known = payouts.list(await findRootLineage(db));
    return await recordRestore(db, { foundBy: owner, mark, stepSeen, why: RESTORE_REASON, known });
  };
  const compare = async (): Promise<{ mark: DatabaseMark; stepSeen: number; isOlderCopy: boolean }> => {
    const stored = listMarks(marks);
    const mark = await findMark(db);
    const stepSeen = findStepSeen(stored, mark.lineage);
    return { mark, stepSeen, isOlderCopy: stepSeen > mark.step };
  };
  return {
    knows: async () => {
      const { mark, stepSeen } = await compare();
      return stepSeen >= 0 || mark.step === 0;
    },
    check: async () => {
      const { mark, stepSeen, isOlderCopy } = await compare();
      return isOlderCopy && (await pause(mark, stepSeen));
    },
    advance: async () => {
      for (;;) {
        const { mark, stepSeen, isOlderCopy } = await compare();
        if (isOlderCopy) {
          await pause(mark, stepSeen);
          throw new Error('The database was restored from a backup. Refunds, payouts and desk actions are paused.');
        }
        const advanced = await advanceMark(db, { lineage: mark.lineage, step: stepSeen });
        if (advanced === null) continue;
        storeMark(marks, advanced);
        return await payouts.store(await findRootLineage(db));
      }
    },
  };
}

/** Records that a person says the database was restored, and pauses all refunds, payouts and desk actions. `folder`: null: there is none to look into. */
export async function reportRestore({ db, folder, owner }: Omit<RestoreGuardOptions, 'folder'> & { folder: string | null }): Promise<void> {
  const known = folder === null ? null : openKnownPayouts(db, folder).list(await findRootLineage(db));
  await recordRestore(db, { foundBy: owner, mark: await findMark(db), stepSeen: null, why: RESTORE_REASON, known });
}

interface StoredMark extends DatabaseMark {
  name: string;
}

/** The newest step of a database in the folder; −1: the folder has none. */
function findStepSeen(marks: StoredMark[], lineage: string): number {
  return Math.max(-1, ...marks.filter((mark) => mark.lineage === lineage).map(({ step }) => step));
}

function listMarks(marks: string): StoredMark[] {
  const names = fs.existsSync(marks) ? fs.readdirSync(marks) : [];
  return names.flatMap((name) => {
    const [lineage = '', step = ''] = name.split('.');
    return /^\d{1,15}$/.test(step) ? [{ name, lineage, step: Number(step) }] : [];
  });
}

/** Written to the disk before anything is sent: a mark that a power failure loses protects nothing. */
function storeMark(marks: string, { lineage, step }: DatabaseMark): void {
  fs.mkdirSync(marks, { recursive: true });
  fs.writeFileSync(path.join(/*turbopackIgnore: true*/ marks, `${lineage}.${step}`), '', { flush: true });
  syncFolder(marks);
  for (const older of listMarks(marks))
    if (older.lineage === lineage && older.step < step) fs.rmSync(path.join(marks, older.name), { force: true });
}

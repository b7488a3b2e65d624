import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '../audit/writes.ts';
import { compareInstants } from '../core/instant.ts';
import { monthOfWindow } from '../core/month.ts';
import type { Role } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { recheckFrom } from '../payouts/rules/close-input.ts';
import { recheckMinutes } from '../payouts/rules/policy.ts';
import { findReaches, listClosable, listRunDrift } from './reads.ts';
import type { MonthNoticeKind, PersonNoticeKind, Reach, Reaches } from './rules/notice-kinds.ts';
import { insertNotice, insertRightsNotice, markSeen, storeReaches } from './writes.ts';

/** What a notice needs to know of a run. */
interface AnnouncedRun {
  gameId: number;
  runId: number;
  runNo: number;
  version: number;
  window: { start: string };
  totals: { payable: string };
  payableCount: number;
}

/** Announces what happened to a run, in the transaction in which it happens. `actorId`: who did it; null: Sharebook. */
export async function announceRun(tx: Db, run: AnnouncedRun, kind: MonthNoticeKind, actorId: string | null): Promise<void> {
  const { gameId, runId, runNo, version, window, totals, payableCount } = run;
  await insertNotice(tx, {
    gameId,
    kind,
    // The version counts each change of a run, and the row is locked.
    subject: `run ${runId} version ${version}`,
    windowStart: window.start,
    run: { runId, runNo, amount_usd: totals.payable, recipientCount: payableCount },
    actorId,
  });
}

/** Announces that rows of a report may show payments of a run twice, in the transaction that stores it. Everyone gets it, the person who added the report too. */
export async function announcePaymentAlarm(
  tx: Db,
  run: Pick<AnnouncedRun, 'gameId' | 'runId' | 'runNo' | 'window'>,
  { reportNo, count, amount_usd }: { reportNo: number; count: number; amount_usd: string },
): Promise<void> {
  const { gameId, runId, runNo, window } = run;
  await insertNotice(tx, {
    gameId,
    kind: 'payment_alarm',
    // `NOTICE_FACTS` reads the report's number from this subject.
    subject: `report ${reportNo} run ${runId}`,
    windowStart: window.start,
    run: { runId, runNo, amount_usd, recipientCount: count },
    actorId: null,
  });
}

/** Announces a change of a person's rights to finance, admins and that person, in the transaction in which it happens. `actorId` null: the operator. */
export async function announcePerson(
  tx: Db,
  {
    kind,
    person,
    ...notice
  }: {
    kind: PersonNoticeKind;
    actorId: string | null;
    person: { /** Left out of an invitation: they can't sign in yet. */ id?: string; name: string };
    roles?: readonly Role[];
  },
): Promise<void> {
  await insertRightsNotice(tx, {
    gameId: null,
    kind,
    about: person.name,
    ...(person.id === undefined ? {} : { personId: person.id }),
    ...notice,
  });
}

/** Announces the month of a game that can be closed next, and other figures of months with an approved run; each once, however often this is called. */
export async function announceMonths(
  game: Pick<OpenGame, 'db' | 'gameId' | 'timeZone' | 'settleLag_minutes' | 'isSimulated'>,
): Promise<void> {
  const { db, gameId, timeZone } = game;
  const [closable, drift] = [await listClosable(db, gameId), await listRunDrift(db, gameId)];
  const next = closable.find(
    ({ window, recheckedAt }) =>
      monthOfWindow(window, timeZone) !== null &&
      compareInstants(recheckedAt, recheckFrom({ window, recheckFrom_minutes: recheckMinutes(game) })) >= 0,
  );
  if (next === undefined && drift.length === 0) return;
  await inTransaction(db, async (tx) => {
    if (next !== undefined)
      await insertNotice(tx, { gameId, kind: 'month_ready', subject: next.window.start, windowStart: next.window.start, actorId: null });
    for (const { runId, runNo, windowStart, figures, change_usd } of drift)
      await insertNotice(tx, {
        gameId,
        kind: 'drift_found',
        subject: `run ${runId} figures ${figures}`,
        windowStart,
        run: { runId, runNo, amount_usd: change_usd, recipientCount: null },
        actorId: null,
      });
  });
}

/** Marks one notice of a person as read, or all up to the newest they were shown. Doing it twice changes nothing. */
export async function markRead(db: Db, personId: string, read: { gameId: number; noticeId: number } | { until: string }): Promise<void> {
  await markSeen(db, personId, read);
}

/** Stores how far kinds of notices reach a person, from then on, and what changed in the audit. */
export async function setReaches(db: Db, actor: { id: string; email: string }, reaches: Reaches): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before: Partial<Record<string, Reach>> = await findReaches(tx, actor.id);
    const changed = Object.entries(reaches).filter(([kind, reach]) => reach !== undefined && reach !== before[kind]);
    if (changed.length === 0) return;
    await storeReaches(tx, actor.id, Object.fromEntries(changed));
    const detail = Object.fromEntries(changed.map(([kind, reach]) => [kind, { before: before[kind], after: reach }]));
    await recordAudit(tx, { actor: actor.email, act: 'changed notice settings', subject: actor.email, detail });
  });
}

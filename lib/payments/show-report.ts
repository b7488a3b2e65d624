import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { findReport, type StoredReport } from './reads/reports.ts';
import { openStoredReport, readStoredReport } from './seal-report.ts';

/** Why a report isn't shown. */
export type NotShown = { ok: false; reason: 'no_key' | 'gone' | 'unreadable' | 'not_allowed' | AccountRefusal };

/** The cells of a report's rows as one line each, by row, for a person who decides about them and may see accounts. The audit has each look, before anything is shown. */
export async function showReportRows(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  reportNo: number,
): Promise<{ ok: true; rows: ReadonlyMap<number, string>; listedCount: number } | NotShown> {
  return await show(game, actor, { key, reportNo, act: 'viewed the rows of a bank report' }, async (payeeKey, { listedCount }) => {
    const report = await readStoredReport(game.db, game.gameId, reportNo, payeeKey);
    return report === null ? null : { ok: true as const, rows: new Map(report.rows.map(({ rowNo, text }) => [rowNo, text])), listedCount };
  });
}

/** The bytes of a report as it was given, for a person who may see accounts. The audit has each download, before it starts. */
export async function downloadReport(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  reportNo: number,
): Promise<{ ok: true; bytes: Buffer; fileName: string } | NotShown> {
  return await show(game, actor, { key, reportNo, act: 'downloaded a bank report' }, async (payeeKey, { fileName }) => {
    const bytes = await openStoredReport(game.db, game.gameId, reportNo, payeeKey);
    return bytes === null ? null : { ok: true as const, bytes, fileName: `bank-report-${reportNo}${endingOf(fileName)}` };
  });
}

/** What the name of a report ends with. The rest of it is as a person typed it, and stays out of headers. */
function endingOf(fileName: string | null): string {
  return /\.[a-z0-9]{1,8}$/i.exec(fileName ?? '')?.[0].toLowerCase() ?? '.txt';
}

async function show<Shown extends { ok: true }>(
  { db, gameId }: OpenGame,
  actor: Actor,
  { key, reportNo, act }: { key: PayeeKey | null; reportNo: number; act: AuditAct },
  open: (key: PayeeKey, report: StoredReport) => Promise<Shown | null>,
): Promise<Shown | NotShown> {
  const subject = `bank report ${reportNo}`;
  const refusal = await findAccountRefusal(db, actor.id, 'payees.show');
  if (refusal !== null)
    return await auditRefusal(db, { actor, gameId, what: 'to view a bank report', subject }, { ok: false, reason: refusal });
  if (key === null) return { ok: false, reason: 'no_key' };
  const report = await findReport(db, gameId, { reportNo });
  if (report === null) return { ok: false, reason: 'gone' };
  const shown = await open(key, report);
  if (shown === null) return { ok: false, reason: 'unreadable' };
  await recordAudit(db, { gameId, actor: actor.email, act, subject });
  return shown;
}

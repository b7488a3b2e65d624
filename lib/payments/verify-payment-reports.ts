import type { Db } from '#db/kit/open.ts';
import { runSteps } from '../core/steps.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { nameKey, type PayeeKey } from '../payees/seal.ts';
import { verifyTime } from '../payouts/rules/replay-run.ts';
import { digestFacts, digestRowNos, listFacts, proveAccepted } from './digest-report.ts';
import { findKnownPayments } from './reads/known-payments.ts';
import {
  listAcceptedFacts,
  listDecidedRows,
  listReissuesToVerify,
  listReportEvents,
  listReportsToVerify,
  listStoredFacts,
  type ReportEvent,
  type ReportToVerify,
} from './reads/report-verification.ts';
import { matchRows } from './rules/match-rows.ts';
import { MATCH_RULES_VERSION } from './rules/stored-fact.ts';
import { openStoredReport, readStoredReport } from './seal-report.ts';

/**
 * Compares bank reports, what their rows confirm or list, what people decided about rows, and re-issues with the audit. With
 * the key that sealed it a report is opened; one of today's rules is read and matched again, earlier ones are a warning. Returns how many reports were compared.
 */
export async function verifyPaymentReports(
  db: Db,
  gameId: number,
  key: PayeeKey | null,
  findings: Findings,
  warnings: Findings = new Findings(),
): Promise<number> {
  const events = await listReportEvents(db, gameId);
  const reports = await listReportsToVerify(db, gameId);
  const recorded = new Map(events.flatMap((event) => (event.act === 'recorded a bank report' ? [[event.subject, event]] : [])));
  for (const [index, report] of reports.entries()) {
    const subject = `bank report ${report.reportNo}`;
    const about = findings.about(subject);
    about.same('reports_without_gap', String(index + 1), String(report.reportNo));
    const facts = digestFacts(await listStoredFacts(db, gameId, report.reportNo));
    verifyRecorded(report, facts, recorded.get(subject), about);
    recorded.delete(subject);
    if (key === null || nameKey(key) !== report.keyName) continue;
    if (report.rulesVersion === MATCH_RULES_VERSION) await verifyBytes(db, gameId, { report, facts, key }, about);
    else {
      const bytes = await openStoredReport(db, gameId, report.reportNo, key);
      about.must('report_seal', bytes !== null, ...SEALED);
      warnings.about(subject).same('report_matched_again', versionOf(MATCH_RULES_VERSION), versionOf(report.rulesVersion));
    }
  }
  for (const subject of recorded.keys()) findings.about(subject).same('report_is_stored', 'the report the audit has', 'none');
  await verifyDecisions(db, gameId, events, findings);
  await verifyReissues(db, gameId, events, findings);
  return reports.length;
}

const SEALED = ['bytes sealed for this report', 'bytes that don’t open or can’t be read'] as const;
const versionOf = (version: number | null): string => `version ${version ?? 0} of the rules`;

function verifyRecorded(report: ReportToVerify, facts: string, event: ReportEvent | undefined, about: Findings): void {
  const { kind, sha256, dateOrder, rowCount, feeCount, result, addedBy, addedAtSeconds, rulesVersion } = report;
  const { detail = {} } = event ?? {};
  const stated = [
    detail['kind'],
    detail['sha256'],
    detail['date_order'],
    detail['rows'],
    detail['fees'],
    detail['result'],
    detail['rules'] ?? null,
  ];
  about.same(
    'report_recorded',
    JSON.stringify(stated),
    JSON.stringify([kind, sha256, dateOrder, rowCount, feeCount, result, rulesVersion]),
  );
  about.same('report_rows', text(detail['digest']), facts);
  about.same('report_added_by', event?.personId ?? 'none', addedBy);
  verifyTime('report_added_at', event?.at ?? null, addedAtSeconds, about);
}

/** Reads a report again from its bytes, and matches its rows with what was known before it. */
async function verifyBytes(
  db: Db,
  gameId: number,
  { report, facts, key }: { report: ReportToVerify; facts: string; key: PayeeKey },
  about: Findings,
): Promise<void> {
  const read = await readStoredReport(db, gameId, report.reportNo, key);
  about.must('report_seal', read !== null, ...SEALED);
  if (read === null) return;
  const matched = runSteps(matchRows(read, await findKnownPayments(db, gameId, read.rows, report), report.addedAt));
  about.same('report_matched_again', digestFacts(listFacts(matched)), facts);
  about.same(
    'report_counted_again',
    `${read.kind} ${read.rows.length} ${read.feeRows}`,
    `${report.kind} ${report.rowCount} ${report.feeCount}`,
  );
}

async function verifyDecisions(db: Db, gameId: number, events: readonly ReportEvent[], findings: Findings): Promise<void> {
  const subjectOf = (report: string, row: unknown): string => `${report}, row ${text(row)}`;
  const decided = new Map(
    events.flatMap((event) =>
      event.act.endsWith('a row of a bank report') ? [[subjectOf(event.subject, event.detail['row']), event]] : [],
    ),
  );
  const together = new Map(events.flatMap((event) => (event.act === 'set aside rows of a bank report' ? [[event.subject, event]] : [])));
  const setAside = new Map<string, number[]>([...together.keys()].map((subject) => [subject, []]));
  const accepted = Map.groupBy(await listAcceptedFacts(db, gameId), ({ reportNo, rowNo }) => subjectOf(`bank report ${reportNo}`, rowNo));
  for (const row of await listDecidedRows(db, gameId)) {
    const subject = subjectOf(`bank report ${row.reportNo}`, row.rowNo);
    const about = findings.about(subject);
    const event = decided.get(subject) ?? together.get(`bank report ${row.reportNo}`);
    if (event !== undefined && !decided.delete(subject)) setAside.get(event.subject)?.push(row.rowNo);
    const { detail = {}, act } = event ?? {};
    const isAccepted = act === 'accepted a row of a bank report';
    const expected = [act === undefined ? null : isAccepted ? 'accepted' : 'set_aside', detail['note'] ?? null, event?.personId ?? null];
    about.same('row_decided', JSON.stringify(expected), JSON.stringify([row.decision, row.note, row.decidedBy]));
    verifyTime('row_decided_at', event?.at ?? null, row.decidedAt, about);
    proveAccepted(isAccepted ? detail : null, accepted.get(subject) ?? [], about);
    about.must('row_confirms_same', row.isSame, 'what the row states', 'something else');
  }
  for (const [subject, { detail }] of together) {
    const rowNos = setAside.get(subject) ?? [];
    const stored = `${rowNos.length} rows, ${digestRowNos(rowNos)}`;
    findings.about(subject).same('rows_set_aside', `${text(detail['count'])} rows, ${text(detail['digest'])}`, stored);
  }
  for (const subject of decided.keys()) findings.about(subject).same('row_decided', 'the decision the audit has', 'none');
}

async function verifyReissues(db: Db, gameId: number, events: readonly ReportEvent[], findings: Findings): Promise<void> {
  const subjectOf = (runNo: unknown, itemNo: unknown): string => `run ${text(runNo)}, payment ${text(itemNo)}`;
  const eventsNamed = (prefix: string): Map<string, ReportEvent> =>
    new Map(
      events.flatMap((event) =>
        event.act.startsWith(prefix) ? [[subjectOf(event.detail['run_no'], event.detail['reissue_no']), event]] : [],
      ),
    );
  const [proposed = new Map<string, ReportEvent>(), confirmed, withdrawn] = [
    'proposed to re-issue',
    'confirmed the re-issue',
    'withdrew the re-issue',
  ].map(eventsNamed);
  for (const row of await listReissuesToVerify(db, gameId)) {
    const subject = subjectOf(row.runNo, row.itemNo);
    const about = findings.about(subject);
    const [proposal, confirmation, withdrawal] = [proposed.get(subject), confirmed?.get(subject), withdrawn?.get(subject)];
    proposed.delete(subject);
    const expected = [
      proposal?.detail['item_no'],
      proposal?.detail['reason'],
      proposal?.personId,
      confirmation?.personId,
      withdrawal?.personId,
    ];
    const actual = [row.replacesItemNo, row.reason, row.proposedBy, row.confirmedBy, row.withdrawnBy];
    about.same('reissue_recorded', expected.map(text).join(', '), actual.map(text).join(', '));
    verifyTime('reissue_proposed_at', proposal?.at ?? null, row.proposedAt, about);
    verifyTime('reissue_confirmed_at', confirmation?.at ?? null, row.confirmedAt, about);
    verifyTime('reissue_withdrawn_at', withdrawal?.at ?? null, row.withdrawnAt, about);
  }
  for (const subject of proposed.keys()) findings.about(subject).same('reissue_recorded', 'the re-issue the audit has', 'none');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
}

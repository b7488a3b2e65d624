import {
  type ExactTransfer,
  linesOf,
  POSTED_ACT,
  type RunningTotals,
  TRANSFER_KINDS,
  type TransferKind,
} from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type PostedJournal, pickAccounts, writeJournals } from '#lib/accounting/rules/layouts.ts';
import { addToTotals, exactOf, proveJournal } from '#lib/accounting/rules/prove-journal.ts';
import { canonicalText } from '#lib/core/canonical-digest.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { roundHalfEven, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { messageOf } from '#lib/core/strings.ts';
import { containsInstant } from '#lib/core/window.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import type { RunLine } from '#lib/payouts/rules/decide-line.ts';
import { indexPostings, provePosting } from '#lib/payouts/rules/replay-run.ts';
import { composeStatement, type RunRef, type StatedReversal, type StatementFacts } from '#lib/payouts/rules/statement.ts';
import { writeStatementCsv } from '#lib/payouts/statement-csv.ts';
import { eventsOf, lineOf, type ProvenLines, type RunProofInput, secondsAt } from './prove-pack-run.ts';
import {
  type AuditFileRow,
  accountsFile,
  journalPath,
  journalsFile,
  LINE_COLUMNS,
  PATHS,
  type PackJournal,
  statementPath,
} from './rules/pack-files.ts';
import { isLeftOut } from './rules/pack-index.ts';

// Papers that follow from a run: its journals and statements.

/** Posts the journals of a run again from what is proven of it, and writes their files again, byte for byte. Returns how many there are. */
export async function proveJournals(input: RunProofInput, lines: ProvenLines, known: Set<string>, findings: Findings): Promise<number> {
  const { pack, index, run, evidence, audit } = input;
  const journals = await pack.json(PATHS.journals, journalsFile);
  known.add(PATHS.journals);
  const { pinned, earned, reversed } = run.sums;
  const accrual = {
    settled_usd: evidence.totals.partner_revenue_settled_usd,
    serviceFee_usd: evidence.totals.invo_fee_usd,
    partnerReversed_usd: evidence.totals.partner_revenue_reversed_usd,
    earned_usd: earned,
    reversed_usd: reversed,
    pinned_usd: pinned,
    grew_usd: lines.grew_usd,
    shrank_usd: lines.shrank_usd,
    adjustments: lines.content.adjustments,
  };
  const window = { start: run.windowStart, end: run.windowEnd };
  const posted = audit.filter(({ act }) => act === POSTED_ACT);
  const own = posted.filter(({ subject }) => subject === `payout run ${run.runNo}`);
  const numbers = (list: readonly unknown[]): string => list.join(', ') || 'none';
  findings
    .about(`run ${run.runNo}`)
    .same('journals_of_run', numbers(own.map(({ detail }) => detail['journal_no'])), numbers(journals.map(({ journalNo }) => journalNo)));
  const postings = indexPostings(eventsOf(audit, run));
  const totals = totalsBefore(posted, new Set<unknown>(journals.map(({ journalNo }) => journalNo)));
  for (const journal of journals) {
    const about = findings.about(`journal ${journal.journalNo}`);
    const posting = postings.get(journal.journalNo);
    const audited = posting && Object.fromEntries(amountsOf(posting).map(({ kind, exact_usd }) => [kind, exact_usd]));
    const exact = exactOf(journal.kind, { accrual, audited, reversed: [] });
    const running: RunningTotals = totals.get(journal.journalNo) ?? new Map();
    const postedOn = posting?.detail['posted_on'];
    const auditedOn = typeof postedOn === 'string' ? postedOn : null;
    proveJournal({ ...journal, window }, { exact, running, timeZone: index.time_zone, auditedOn }, about);
    provePosting(historyOf(journal, run.runNo), posting, about);
  }
  await proveJournalFiles(input, journals, known, findings);
  return journals.length;
}

/** What all postings of a game before each of these journals come to: exact amounts as the audit has them, posted as each total is rounded. */
function totalsBefore(posted: readonly AuditFileRow[], journalNos: ReadonlySet<unknown>): Map<unknown, RunningTotals> {
  const before = new Map<unknown, RunningTotals>();
  const running = new Map<TransferKind, { exact_usd: string; posted_usd: string }>();
  for (const row of posted) {
    const journalNo = row.detail['journal_no'];
    if (journalNos.has(journalNo) && !before.has(journalNo)) before.set(journalNo, new Map(running));
    for (const { kind, exact_usd } of amountsOf(row)) {
      addToTotals(running, [{ kind, exact_usd, posted_usd: '0.00' }]);
      const { exact_usd: total } = running.get(kind) ?? { exact_usd };
      running.set(kind, { exact_usd: total, posted_usd: roundHalfEven(total) });
    }
  }
  return before;
}

/** The exact amounts of a posting, without those of kinds that no journal has: `provePosting` names them. */
function amountsOf({ detail }: Pick<AuditFileRow, 'detail'>): ExactTransfer[] {
  const exact = detail['exact_usd'];
  const stated: [string, unknown][] = typeof exact === 'object' && exact !== null ? Object.entries(exact) : [];
  return stated.flatMap(([name, amount]) => {
    const kind = TRANSFER_KINDS.find((each) => each === name);
    return kind === undefined ? [] : [{ kind, exact_usd: String(amount) }];
  });
}

function historyOf({ writtenBy, writtenAt, transfers }: PackJournal, runNo: number): Parameters<typeof provePosting>[0] {
  const exact_usd = Object.fromEntries(transfers.map(({ kind, exact_usd: usd }) => [kind, usd]));
  return { runNo, writtenBy, writtenAt: secondsAt(writtenAt), exact_usd };
}

async function proveJournalFiles(
  { pack, index, run }: RunProofInput,
  journals: readonly PackJournal[],
  known: Set<string>,
  findings: Findings,
): Promise<void> {
  const layouts = LAYOUTS.filter((layout) => pack.sizes.has(journalPath(layout)));
  for (const path of LAYOUTS.map(journalPath)) {
    findings
      .about(path)
      .must('file_or_reason', pack.sizes.has(path) || isLeftOut(index, path), 'the file, or why it is left out', 'neither');
  }
  if (layouts.length === 0 && !pack.sizes.has(PATHS.accounts)) return;
  const map = await pack.json(PATHS.accounts, accountsFile);
  known.add(PATHS.accounts);
  const posted = journals.map(
    ({ journalNo, postedOn, transfers }): PostedJournal => ({
      journalNo,
      postedOn,
      runId: run.runId,
      runNo: run.runNo,
      runDigest: run.contentDigest,
      snapshotId: run.snapshotId,
      window: { start: run.windowStart, end: run.windowEnd },
      lines: linesOf(transfers),
    }),
  );
  findings.about(PATHS.accounts).same('accounts_of_these_files', canonicalText(pickAccounts(layouts, posted, map)), canonicalText(map));
  for (const layout of layouts) {
    const path = journalPath(layout);
    known.add(path);
    const file = writeJournals(layout, { slug: index.game, environment: index.environment }, posted, map);
    sameFile(findings.about(path), file.ok ? file.text : 'accounts without names', await pack.read(path));
  }
}

/** Compares a file with what it must be, and names the first line that differs. */
function sameFile(about: Findings, expected: string, bytes: Buffer): void {
  const actual = bytes.toString('utf8');
  if (actual === expected) return;
  const [lines, found] = [expected.split('\r\n'), actual.split('\r\n')];
  const first = Math.max(
    0,
    lines.findIndex((line, index) => line !== found[index]),
  );
  about.must('file_written_again', false, `line ${first + 1}: ${lines[first] ?? 'none'}`, found[first] ?? 'none');
}

/** Writes the statement of each recipient again from the evidence and what is proven of the run, byte for byte. Returns how many there are. */
export async function proveStatements(input: RunProofInput, lines: ProvenLines, known: Set<string>, findings: Findings): Promise<number> {
  const { pack, index, run } = input;
  const facts = new StatementSources(input, lines);
  let count = 0;
  for await (const row of pack.rows(PATHS.lines, LINE_COLUMNS)) {
    const line = lineOf(row);
    const path = statementPath(line.recipientId);
    known.add(path);
    count += 1;
    const about = findings.about(path);
    const game = { slug: index.game, name: '', environment: index.environment, timeZone: index.time_zone, isSimulated: false };
    const stated = {
      runNo: run.runNo,
      window: { start: run.windowStart, end: run.windowEnd },
      approvedAt: run.approvedAt,
      contentDigest: run.contentDigest,
    };
    try {
      const statement = composeStatement({ game, run: { ...stated, previous: facts.previous }, ...facts.of(line) });
      sameFile(about, writeStatementCsv(statement), await pack.read(path));
    } catch (error) {
      about.must('statement_follows', false, 'a statement that adds up', messageOf(error));
    }
  }
  return count;
}

/** What statements are composed from. */
class StatementSources {
  readonly #input: RunProofInput;
  readonly #reversals: Map<number, ProvenLines['reversals']>;
  readonly #adjustments: Map<number, ProvenLines['adjustments']>;
  /** The approved runs until this one, which included. */
  readonly #runs: readonly { runId: number; runNo: number; windowStart: string; windowEnd: string }[];

  constructor(input: RunProofInput, { reversals, adjustments }: ProvenLines) {
    this.#input = input;
    this.#reversals = Map.groupBy(reversals, ({ recipientId }) => recipientId);
    this.#adjustments = Map.groupBy(adjustments, ({ recipientId }) => recipientId);
    this.#runs = [...input.history.runs, input.run];
  }

  get previous(): RunRef | null {
    return refOf(this.#input.history.runs.at(-1));
  }

  of(line: RunLine): Pick<StatementFacts, 'line' | 'renewals' | 'reversals' | 'adjustments' | 'returned'> {
    const { isResolved: _, detailNo: __, ...amounts } = line;
    const byId = (runId: number | null): RunRef | null => refOf(this.#runs.find((run) => run.runId === runId));
    return {
      line: { ...amounts, name: null, email: null },
      renewals: this.#input.evidence.renewals.get(line.recipientId) ?? [],
      reversals: (this.#reversals.get(line.recipientId) ?? [])
        .map((reversal) => this.#stated(reversal))
        .toSorted((one, other) => compareInstants(one.settledAt, other.settledAt) || one.periodId - other.periodId),
      adjustments: (this.#adjustments.get(line.recipientId) ?? [])
        .map(({ adjustmentId, amount_usd, reason, correctsRunId }) => ({ adjustmentId, amount_usd, reason, corrects: byId(correctsRunId) }))
        .toSorted((one, other) => one.adjustmentId - other.adjustmentId),
      returned: this.#input.run.returned.filter(({ recipientId }) => recipientId === line.recipientId),
    };
  }

  #stated({ takenByRuns_usd: _, adjustments: __, recipientId: ___, ...reversal }: ProvenLines['reversals'][number]): StatedReversal {
    const { evidence, history } = this.#input;
    const period = evidence.periods.get(reversal.periodId);
    if (period === undefined) throw new Error(`period ${reversal.periodId} isn't in the evidence`);
    const { subscriptionId, settledAt, refundedAt, isFullRefund } = period;
    const deducting = new Set(
      (history.taken.get(reversal.periodId) ?? []).filter(({ taken_usd }) => signOfMoney(taken_usd) > 0).map(({ runNo }) => runNo),
    );
    const earnedIn = this.#runs.find(({ windowStart: start, windowEnd: end }) => containsInstant({ start, end }, settledAt));
    return {
      ...reversal,
      pinned_usd: subtractMoney(reversal.reported_usd, reversal.taken_usd),
      subscriptionId,
      settledAt,
      refundedAt,
      isFullRefund,
      earnedIn: refOf(earnedIn),
      deductedIn: history.runs.filter(({ runNo }) => deducting.has(runNo)).map(({ runNo, windowStart }) => ({ runNo, windowStart })),
    };
  }
}

function refOf(run: { runNo: number; windowStart: string } | undefined): RunRef | null {
  return run === undefined ? null : { runNo: run.runNo, windowStart: run.windowStart };
}

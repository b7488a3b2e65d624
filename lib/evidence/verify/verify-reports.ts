import type { Db } from '#db/kit/open.ts';
import { canonicalText, sha256Of } from '#lib/core/canonical-digest.ts';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import { listDetailMonths } from '#lib/fees/reads/detail-jobs.ts';
import { addUpReadings } from '#lib/fees/run-detail-job.ts';
import { periodReport } from '#lib/invo/routes/period-report.ts';
import { figuresOfPeriod } from '#lib/subscriptions/read-subscription-detail.ts';
import type { PeriodFigures } from '#lib/subscriptions/writes.ts';
import { listReadings, type ReportReading } from '../reads/verification.ts';
import type { Findings } from '../rules/findings.ts';
import { inflate } from './rebuild.ts';

/** Readings held at once; a period's report has some kilobytes, a page of cycles a hundred. */
const BATCH = 100;

/**
 * Compares each reading of a detail report, and each newest answer of another detail route, with its bytes, and the figures stored beside it with those
 * the bytes state. Returns how many there are.
 */
export async function verifyReports(db: Db, gameId: number, findings: Findings): Promise<number> {
  let count = 0;
  let last: ReportReading | null = null;
  for (;;) {
    const batch: ReportReading[] = await listReadings(db, gameId, last, BATCH);
    for (const reading of batch) verifyReading(reading, findings.about(`${reading.kind} ${reading.subject}, reading ${reading.readNo}`));
    count += batch.length;
    last = batch.at(-1) ?? null;
    if (last === null || batch.length < BATCH) return count;
  }
}

/**
 * Adds the readings of each month up again, up to when its figures were made, and names each figure that is another. The comparison of lifetime
 * totals is left out: it depends on which months were pulled then.
 */
export async function verifyDetailMonths(db: Db, gameId: number, findings: Findings): Promise<void> {
  for (const { window, computedAt, figures, snapshot } of await listDetailMonths(db, gameId)) {
    const subject = `detail reports from ${window.start.slice(0, 10)}`;
    findings
      .about(subject)
      .same('detail_window', snapshot === null ? 'that of a snapshot' : writeWindow(snapshot.window), writeWindow(window));
    if (snapshot === null) continue;
    const read = await addUpReadings(db, gameId, { ...snapshot, window, until: computedAt });
    const [expected, stored] = [new Map(Object.entries({ version: 1, ...read })), new Map(Object.entries(figures ?? {}))];
    const write = (value: unknown): string => (value === undefined ? 'none' : canonicalText(value));
    for (const name of new Set([...expected.keys(), ...stored.keys()])) {
      if (name === 'lifetime') continue;
      findings.about(`${subject}, ${name}`).same('detail_figures', write(expected.get(name)), write(stored.get(name)));
    }
  }
}

function writeWindow({ start, end }: Window): string {
  return `${start} to ${end}`;
}

function verifyReading({ body, sha256, figures }: ReportReading, findings: Findings): void {
  const inflated = inflate(body);
  const digest = inflated === null ? 'no gzip' : sha256Of(inflated).toString('hex');
  findings.same('report_digest', sha256.toString('hex'), digest);
  if (figures === null || inflated === null || digest !== sha256.toString('hex')) return;
  const parsed = periodReport.safeParse(parseJson(inflated));
  const stated = parsed.success ? writeFigures(figuresOfPeriod(parsed.data)) : 'no period report';
  findings.same('report_figures', stated, writeFigures(figures));
}

/** The JSON of a body; undefined when it is none. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Figures as one text, in which equal amounts and instants are written alike. */
function writeFigures(figures: PeriodFigures): string {
  const write = (name: string, value: string | number | null): string | number | null => {
    if (typeof value !== 'string') return value;
    return name.endsWith('_usd') ? normalizeMoney(value) : fromMicroseconds(toMicroseconds(value));
  };
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${write(name, value) ?? 'none'}`)
    .join(', ');
}

import type { Deadline, GameContext } from '../games/game-context.ts';
import { isAbsent } from '../invo/invo-error.ts';
import { type PeriodReport, periodReport, reshapePeriodFacts } from '../invo/routes/period-report.ts';
import type { PeriodFacts } from '../refunds/rules/period.ts';
import { knownOfPeriod } from './known-things.ts';
import { type Detail, mapDetail, readDetail } from './read-detail.ts';

/** A period in Invo's own words, and what of it a refund depends on. */
export interface PeriodAnswer {
  report: PeriodReport;
  facts: PeriodFacts;
}

/** One period with its money, refunds and charge, as Invo says now, else as it said last (document 2, period report). */
export async function readPeriodDetail(desk: GameContext, periodId: number, patience: Deadline = {}): Promise<Detail<PeriodAnswer>> {
  const detail = await readDetail(
    desk,
    {
      kind: 'period',
      subject: String(periodId),
      shape: periodReport,
      ask: (client, signal) => client.periodReport(periodId, signal),
      isNotFound: isAbsent,
      known: knownOfPeriod,
    },
    patience,
  );
  return mapDetail(detail, (report) => ({ report, facts: reshapePeriodFacts(report) }));
}

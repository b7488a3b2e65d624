import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { PeriodFigures } from '#lib/subscriptions/writes.ts';

/** One stored reading of a detail route, for verification. */
export interface ReportReading {
  kind: string;
  subject: string;
  readNo: number;
  /** Gzip; of the reading that holds the bytes. */
  body: Buffer;
  sha256: Buffer;
  /** null: it has none. */
  figures: PeriodFigures | null;
}

type ReadingRow = Omit<ReportReading, 'figures'> & PeriodFigures & { has_figures: boolean };

/** Readings of a game by key, a part at a time: those after one, at most so many. An answer that is replaced by the next one counts as reading 1. */
export async function listReadings(
  db: Db,
  gameId: number,
  after: Pick<ReportReading, 'kind' | 'subject' | 'readNo'> | null,
  limit: number,
): Promise<ReportReading[]> {
  const { kind, subject, readNo } = after ?? { kind: '', subject: '', readNo: 0 };
  const { rows } = await sql<ReadingRow>`
    select r.kind, r.subject, r.read_no as "readNo", r.sha256, r.has_figures, r.card_charged_usd, r.pass_through_fees_usd, r.chargeback_fees_usd,
      r.disputed_amount_held_usd, r.card_fee_charged_to_partner_usd, r.partner_revenue_after_fees_usd, r.refund_count, r.first_refunded_at,
      r.last_refunded_at, coalesce(r.body, (
        select held.body from report_read held
        where held.game_id = ${gameId} and held.kind = r.kind and held.subject = r.subject and held.read_no < r.read_no and held.body is not null
        order by held.read_no desc limit 1
      )) as body
    from (
      select game_id, kind, subject, read_no, sha256, body, has_figures, card_charged_usd, pass_through_fees_usd, chargeback_fees_usd,
        disputed_amount_held_usd, card_fee_charged_to_partner_usd, partner_revenue_after_fees_usd, refund_count, first_refunded_at, last_refunded_at
      from report_read where game_id = ${gameId}
      union all
      select game_id, kind, subject, 1, sha256, body, false, null, null, null, null, null, null, null, null, null from detail_read where game_id = ${gameId}
    ) r
    where (r.kind, r.subject, r.read_no) > (${kind}, ${subject}, ${readNo})
    order by r.kind, r.subject, r.read_no limit ${limit}`.execute(db);
  return rows.map(({ kind: ofKind, subject: about, readNo: at, body, sha256, has_figures, ...figures }) => ({
    kind: ofKind,
    subject: about,
    readNo: at,
    body,
    sha256,
    figures: has_figures ? figures : null,
  }));
}

import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { monthOf } from '#lib/core/month.ts';
import { shareOf } from '#lib/refunds/rules/period.ts';

/** Whether a pulled month has brought the reversal that is expected. Sharebook writes none: it is Invo's to report. */
export function Reversal({ game, refund }: { game: Game; refund: RefundDetail }): ReactElement {
  const { facts, receipt, estimate, reversal } = refund;
  const share = shareOf(facts.period);
  if (share === 'not_attributed') return <p>Nobody has a share in this period: no reversal is expected.</p>;
  if (share === 'unknown' && reversal === null)
    return <p>Invo has no attribution of this period on record: whether a reversal comes is not known.</p>;
  if (reversal !== null) {
    const month = monthOf(reversal.windowStart, game.timeZone);
    return (
      <p>
        {refund.state === 'landed' ? 'Its reversal' : 'A reversal like its own'} was brought by the pull of{' '}
        <Link href={`/${game.slug}/months/${month}/reversals`}>{formatMonth(month)}</Link> on{' '}
        <Instant at={reversal.pulledAt} timeZone={game.timeZone} />.
      </p>
    );
  }
  const refundedAt = receipt?.refunded_at ?? null;
  const month = refundedAt === null ? estimate.reversal_month : monthOf(refundedAt, game.timeZone);
  return (
    <p>
      Its reversal is expected in <Link href={`/${game.slug}/months/${month}`}>{formatMonth(month)}</Link>, with the next pull of that
      month.
    </p>
  );
}

import Link from 'next/link';
import { Fragment, type ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatUsd, sumMoney } from '#lib/core/money.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import type { RepeatedReversals } from '#lib/evidence/reads/months.ts';

interface RepeatedNoticeProps {
  /** Oldest first. */
  repeated: RepeatedReversals[];
  game: Pick<Game, 'slug' | 'timeZone'>;
}

/** That two months report the same reversals, so that their sum counts them twice: how much, and in which months; nothing when they don’t. */
export function RepeatedNotice({ repeated, game }: RepeatedNoticeProps): ReactElement | null {
  const months = repeated.flatMap((each) => {
    const month = monthOfWindow(each.window, game.timeZone);
    return month === null ? [] : [{ ...each, month }];
  });
  if (months.length === 0) return null;
  const total = sumMoney(months.map((each) => each.reversed_attributed_usd));
  return (
    <Notice voice="wait" title={`Two months report the same reversals: ${formatUsd(total)}`}>
      {months.map(({ month, periodCount, reversed_attributed_usd: amount }, index) => (
        <Fragment key={month}>
          {index > 0 && ', '}
          <Link href={`/${game.slug}/months/${month}/open-items`}>{formatMonth(month)}</Link>: {formatUsd(amount)} in{' '}
          {countNoun(periodCount, 'period')}
        </Fragment>
      ))}
      . A later month reports the same again, so sums over both months count it twice. Re-check the earlier month before you pay from
      either. No figure was adjusted.
    </Notice>
  );
}

import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import { db } from '#app/_server/wiring.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { HeldLines } from '#app/[game]/_subscriptions/held-lines.tsx';
import { NotHere } from '#app/[game]/_subscriptions/not-here.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { ReadNotice } from '#app/[game]/_subscriptions/read-notice.tsx';
import { listOwnRefunds } from '#db/refunds/reads/refund-preconditions.ts';
import { listLineEvidence } from '#db/subscriptions/reads/list-line-evidence.ts';
import { readPeriodDetail } from '#lib/subscriptions/read-period-detail.ts';
import { PeriodAnswerCard } from './period-answer.tsx';
import { PeriodFundingCards } from './period-funding.tsx';
import { PeriodRefunds } from './period-refunds.tsx';
import { MoneyWalk } from './walk/money-walk.tsx';
import { WholeLine } from './whole-line/whole-line.tsx';

interface PeriodBodyProps {
  game: Game;
  periodId: number;
  canSeeEmails: boolean;
  mayRefund: boolean;
}

/** Everything about one period once Invo was asked: as it says now, as it said last, or only what the months hold. */
export async function PeriodBody({ game, periodId, canSeeEmails, mayRefund }: PeriodBodyProps): Promise<ReactElement> {
  const [period, evidence, refunds] = await Promise.all([
    openGameContext(game).then((desk) => readPeriodDetail(desk, periodId)),
    listLineEvidence(db(), game, { periodId }),
    listOwnRefunds(db(), game.gameId, { periodId }),
  ]);
  const held = (
    <>
      <OwnRefunds slug={game.slug} refunds={refunds} />
      <HeldLines slug={game.slug} evidence={evidence} isAlone={!('value' in period)} />
    </>
  );
  if (period.kind === 'not_found' || period.kind === 'nothing') {
    return (
      <div className={detail.page}>
        {period.kind === 'not_found' ? (
          <NotHere game={game} what={`Period ${periodId}`} path={`periods/${periodId}`} />
        ) : (
          <ReadNotice detail={period} what="this period" />
        )}
        {held}
      </div>
    );
  }
  const { report } = period.value;
  const isKnownRecipient = evidence.renewals.length > 0;
  return (
    <>
      <ReadNotice detail={period} what="this period" />
      <FieldNames>
        <div className={detail.page}>
          <div className={detail.top}>
            <PeriodAnswerCard
              game={game}
              answer={period.value}
              mayRefund={mayRefund}
              isKnownRecipient={isKnownRecipient}
              canSeeEmails={canSeeEmails}
            />
            <MoneyWalk report={report} />
          </div>
          <PeriodFundingCards report={report} timeZone={game.timeZone} />
          <PeriodRefunds answer={period.value} timeZone={game.timeZone} />
          {held}
          <WholeLine answer={period.value} canSeeEmails={canSeeEmails} />
        </div>
      </FieldNames>
    </>
  );
}

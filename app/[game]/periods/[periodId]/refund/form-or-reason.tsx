import { randomUUID } from 'node:crypto';
import type { ReactElement } from 'react';
import { now } from '#app/_server/clock.ts';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/game.ts';
import { db } from '#app/_server/wiring.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { AskAgain } from '#app/[game]/_subscriptions/ask-again.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { findOpenRefund, type OpenRefund } from '#db/refunds/reads/find-open-refund.ts';
import { findRefundLimits } from '#db/refunds/reads/find-refund-limits.ts';
import { listOwnRefunds } from '#db/refunds/reads/list-own-refunds.ts';
import { formatMoney } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { readFreshFacts } from '#lib/refunds/read-fresh-facts.ts';
import { findRefundHindrance, HINDRANCE_SENTENCES } from '#lib/refunds/rules/find-hindrance.ts';
import { digestBaseline } from '#lib/refunds/rules/period-facts.ts';
import { REFUND_STATE_WORDS } from '#lib/refunds/rules/refund-state.ts';
import { PeriodFactsCard } from './period-facts-card.tsx';
import { RefundForm } from './refund-form.tsx';

interface FormOrReasonProps {
  game: Game;
  periodId: number;
  role: Role;
  isStopped: boolean;
}

/** The form for a refund of a period, or why there is none: one is open, Invo cannot be asked, or Invo would refuse. */
export async function FormOrReason({ game, periodId, role, isStopped }: FormOrReasonProps): Promise<ReactElement> {
  const open = await findOpenRefund(db(), game.gameId, periodId);
  if (open !== null) return <OpenNotice slug={game.slug} open={open} />;
  const [facts, limits, earlier] = await Promise.all([
    readFreshFacts(await openGameContext(game), periodId),
    findRefundLimits(db(), game.gameId),
    listOwnRefunds(db(), game.gameId, { periodId }),
  ]);
  if ('sentence' in facts) return <NoFacts {...facts} />;
  const { period } = facts;
  const hindrance = findRefundHindrance(period);
  const card = <PeriodFactsCard slug={game.slug} period={period} readAt={facts.read_at} />;
  if (hindrance !== null)
    return (
      <>
        <Notice voice="bad" title="This period cannot be refunded">
          {HINDRANCE_SENTENCES[hindrance]}
        </Notice>
        {card}
      </>
    );
  return (
    <>
      {card}
      <RefundForm
        game={{ slug: game.slug, name: game.name, timeZone: game.timeZone }}
        facts={facts}
        now={now()}
        role={role}
        limits={limits}
        isStopped={isStopped}
        draftId={randomUUID()}
        baseline={digestBaseline(period).toString('hex')}
      />
      <OwnRefunds slug={game.slug} refunds={earlier} />
    </>
  );
}

function OpenNotice({ slug, open }: { slug: string; open: OpenRefund }): ReactElement {
  const { refundId, state, amount_usd, requestedAt, requestedByName } = open;
  const { label, sentence } = REFUND_STATE_WORDS[state];
  return (
    <Notice
      voice="wait"
      title={`A refund of this period is open: ${label}`}
      actions={
        <LinkButton kind="main" href={`/${slug}/refunds/${refundId}`}>
          See refund {refundId}
        </LinkButton>
      }
    >
      {requestedByName} asked for {formatMoney(amount_usd)} USD at {formatUtc(requestedAt)}. {sentence} A second one can be asked for once
      it has ended.
    </Notice>
  );
}

function NoFacts({ sentence, errorId }: { sentence: string; errorId: string | null }): ReactElement {
  return (
    <Notice
      voice="bad"
      title="Without fresh facts from Invo no refund begins"
      actions={
        <>
          <AskAgain word="Try again" />
          {errorId !== null && <CopyButton text={errorId} what="reference" />}
        </>
      }
    >
      {sentence}
    </Notice>
  );
}

import type { ReactElement } from 'react';
import { db } from '#app/_server/server-context.ts';
import { countNoun, formatUtc } from '#app/_ui/figures/format.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import type { Game } from '#lib/core/game.ts';
import { monthOf } from '#lib/core/month.ts';
import { findPull } from '#lib/evidence/reads/pulls.ts';
import type { RunRecheck } from '#lib/payouts/find-close.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { RECHECK_ITEMS } from '#lib/payouts/rules/close-input.ts';
import { formatCheck } from '#lib/payouts/text.ts';
import { PullButton, PullProgress } from '../../_pulls/pull.tsx';

interface RecheckNoticeProps {
  game: Game;
  run: Run;
  recheck: RunRecheck;
  /** The person may start a re-check here. */
  mayRecheck: boolean;
}

/** Why a run in review can't be approved now: what Invo answered last, the re-check to start, or how far it is. Nothing where that answer is current. */
export async function RecheckNotice({ game, run, recheck, mayRecheck }: RecheckNoticeProps): Promise<ReactElement | null> {
  const { state, pullId } = recheck;
  if (state === 'current') return null;
  const { title, advice } = formatCheck({ key: RECHECK_ITEMS[state], count: 1 });
  const pull = state === 'pulling' && pullId !== null ? await findPull(db(), game.gameId, pullId) : null;
  const canRecheck = mayRecheck && (state === 'needed' || state === 'pull_failed');
  return (
    <>
      <RefreshWhile isBusy={state === 'pulling'} />
      <Notice voice={state === 'differs' || state === 'pull_failed' ? 'bad' : 'wait'} title={title}>
        {state === 'needed' && `${formatLast(recheck)} `}
        {state === 'differs'
          ? 'Invo’s figures are no longer those of this run, so it can’t be approved. Return it to draft to submit what Invo reports now.'
          : advice}
        {state !== 'differs' && ' The run stays in review.'}
      </Notice>
      {canRecheck && (
        <PullButton game={game.slug} month={monthOf(run.window.start, game.timeZone)} label="Re-check now (1 call)" runNo={run.runNo} />
      )}
      {pull !== null && <PullProgress key={pull.pullId} game={game.slug} first={pull} />}
    </>
  );
}

function formatLast({ checkedAt, recheckHours }: RunRecheck): string {
  const last = checkedAt === null ? 'This snapshot has no re-check yet.' : `The last re-check was on ${formatUtc(checkedAt)}.`;
  return `${last} The policy asks for one in the last ${countNoun(recheckHours, 'hour')}.`;
}

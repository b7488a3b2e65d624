import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { pool } from '#app/_server/wiring.ts';
import { formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/action-form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { findPayoutPause, type PayoutPause } from '#db/payouts/reads/payout-pause.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { formatPayoutPause } from '#lib/payouts/text.ts';
import { resumePayoutsAction } from './actions.ts';

interface PayoutPauseProps {
  game: Game;
  person: Pick<Person, 'id' | 'may'>;
}

/** On the pages about payouts while they are paused: what happened, which runs are missing, and how payouts resume. Nothing when they go on. */
export async function PayoutPauseNotice({ game, person }: PayoutPauseProps): Promise<ReactElement | null> {
  const pause = await findPayoutPause(pool(), game.gameId);
  if (pause === null) return null;
  const { happened, next } = formatPayoutPause(pause.missing?.length ?? null);
  return (
    <Notice voice="bad" title={`Payouts for ${game.name} are paused`} actions={<ResumeForm game={game} person={person} pause={pause} />}>
      <p>{happened}</p>
      {pause.missing !== null && pause.missing.length > 0 && (
        <ul>
          {pause.missing.map(({ runNo, window, payable_usd, approvedAt, contentDigest }) => (
            <li key={contentDigest}>
              Run {runNo}, {formatMonth(monthOf(window.start, game.timeZone))}: {formatUsd(payable_usd)} payable, approved{' '}
              {formatUtc(approvedAt)}, digest {contentDigest.slice(0, 12)}…
            </li>
          ))}
        </ul>
      )}
      <p>
        {next} {formatResume(pause, person)}
      </p>
    </Notice>
  );
}

function ResumeForm({ game, person, pause }: PayoutPauseProps & { pause: PayoutPause }): ReactElement | null {
  if (!person.may('payouts.approve') || pause.resumeRequestedBy?.id === person.id) return null;
  const label = pause.resumeRequestedBy === null ? 'Ask to resume payouts' : 'Resume payouts';
  return (
    <ActionForm action={resumePayoutsAction} about={{ game: game.slug, pauseNo: pause.pauseNo }} label={label} pendingLabel="Saving…" />
  );
}

function formatResume({ resumeRequestedBy }: PayoutPause, person: Pick<Person, 'id' | 'may'>): string {
  if (resumeRequestedBy === null) return 'Resuming needs two approvers.';
  if (resumeRequestedBy.id === person.id) return 'You asked to resume payouts. A second approver must confirm.';
  return `${resumeRequestedBy.name} asked to resume payouts. ${person.may('payouts.approve') ? 'You can confirm.' : 'A second approver must confirm.'}`;
}

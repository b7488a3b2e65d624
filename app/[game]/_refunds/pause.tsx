import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/action-form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { RefundPause } from '#db/refunds/reads/refund-preconditions.ts';
import { formatUsd } from '#lib/core/money.ts';
import { maskEmailsIn, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { formatRestore } from '#lib/refunds/text.ts';
import { pauseRefundsAction, resumeRefundsAction } from './actions.ts';

/** Pauses all refunds of a game, with what that does before the button is pressed. */
export function PauseDialog({ game }: { game: { slug: string; name: string } }): ReactElement {
  return (
    <SideDialog opener="Pause refunds" title={`Pause refunds for ${game.name}`}>
      <ActionForm
        action={pauseRefundsAction}
        about={{ game: game.slug }}
        label={`Pause refunds for ${game.name}`}
        pendingLabel="Pausing…"
        kind="danger"
        note={{ label: 'Reason', lengthMax: WHY_LENGTH_MAX, isRequired: true }}
      >
        <p>
          No new refunds will be sent to Invo. Refunds already sent are still tracked. Refunds can still be requested and approved while
          they are paused.
        </p>
        <p>Resuming needs two approvers.</p>
      </ActionForm>
    </SideDialog>
  );
}

export interface PauseNoticeProps {
  game: Game;
  person: Pick<Person, 'id' | 'may'>;
  /** null: refunds are sent. */
  pause: RefundPause | null;
}

/** On every refund screen while refunds are paused: who paused them, why, and how they resume. */
export function PauseNotice({ game, person, pause }: PauseNoticeProps): ReactElement | null {
  if (pause === null) return null;
  const { pausedByName, pausedAt, why, openAtRestore } = pause;
  return (
    <Notice voice="bad" title={`Refunds for ${game.name} are paused`} actions={<ResumeForm game={game} person={person} pause={pause} />}>
      <p>
        Paused by {pausedByName ?? 'Sharebook'} on <Instant at={pausedAt} timeZone={game.timeZone} />: “
        {person.may('emails.read') ? why : maskEmailsIn(why)}” No new refunds are sent to Invo. Refunds already sent are still tracked.{' '}
        {formatResume(pause, person)}
      </p>
      {openAtRestore !== null && <OpenAtRestore slug={game.slug} refunds={openAtRestore} />}
    </Notice>
  );
}

const LISTED_MAX = 25;

function OpenAtRestore({ slug, refunds }: { slug: string; refunds: NonNullable<RefundPause['openAtRestore']> }): ReactElement {
  return (
    <>
      <p>{formatRestore(refunds.length)}</p>
      {refunds.length > 0 && (
        <ul>
          {refunds.slice(0, LISTED_MAX).map(({ refundId, amount_usd }) => (
            <li key={refundId}>
              <Link href={`/${slug}/refunds/${refundId}`}>
                Refund {refundId}, {formatUsd(amount_usd)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ResumeForm({ game, person, pause }: PauseNoticeProps & { pause: RefundPause }): ReactElement | null {
  if (!person.may('refunds.approve') || pause.resumeRequestedBy?.id === person.id) return null;
  const label = pause.resumeRequestedBy === null ? 'Ask to resume refunds' : 'Resume refunds';
  return <ActionForm action={resumeRefundsAction} about={{ game: game.slug }} label={label} pendingLabel="Saving…" />;
}

function formatResume({ resumeRequestedBy }: RefundPause, person: Pick<Person, 'id' | 'may'>): string {
  if (resumeRequestedBy === null) return 'Resuming needs two approvers.';
  if (resumeRequestedBy.id === person.id) return 'You asked to resume refunds. A second approver must confirm.';
  return `${resumeRequestedBy.name} asked to resume refunds. ${person.may('refunds.approve') ? 'You can confirm.' : 'A second approver must confirm.'}`;
}

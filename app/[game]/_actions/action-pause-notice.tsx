import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { ActionPause } from '#lib/actions/reads/action-controls.ts';
import { formatResume } from '#lib/approvals/text.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';

interface ActionPauseNoticeProps {
  game: Game;
  person: Person;
  /** null: actions are sent. */
  pause: ActionPause | null;
  /** What a person can do about it here. */
  children?: ReactNode;
}

/** On every screen of desk actions while they are paused: who paused them, why, and how they resume. */
export function ActionPauseNotice({ game, person, pause, children }: ActionPauseNoticeProps): ReactElement | null {
  if (pause === null) return null;
  const { pausedByName, pausedAt, why, resumeRequestedBy } = pause;
  return (
    <Notice voice="bad" title={`Desk actions of ${game.name} are paused`} actions={children}>
      Paused by {pausedByName ?? 'Sharebook'} on <Instant at={pausedAt} timeZone={game.timeZone} />: “
      {person.may('emails.read') ? why : maskEmailsIn(why)}” No new ones are sent to Invo. What was sent is still tracked.{' '}
      {formatResume('desk actions', resumeRequestedBy, { id: person.id, mayApprove: person.may('actions.approve') })}
    </Notice>
  );
}

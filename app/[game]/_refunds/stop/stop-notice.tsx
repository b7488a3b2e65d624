import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { RefundStop } from '#db/refunds/reads/refund-preconditions.ts';
import { maskEmailsIn } from '#lib/core/typed-text.ts';
import { ActForm } from '../act-form.tsx';
import { resumeRefundsAction } from './actions.ts';

export interface StopNoticeProps {
  game: Game;
  person: Pick<Person, 'id' | 'may'>;
  /** null: refunds are sent. */
  stop: RefundStop | null;
}

/** Says on every screen about refunds that none are sent, who stopped them, and how they go on; nothing while they are sent. */
export function StopNotice({ game, person, stop }: StopNoticeProps): ReactElement | null {
  if (stop === null) return null;
  return (
    <Notice
      voice="bad"
      title={`Refunds of ${game.name} are stopped: nothing is sent to Invo`}
      actions={<Lift game={game} person={person} stop={stop} />}
    >
      {stop.stoppedByName} stopped them at <Instant at={stop.stoppedAt} timeZone={game.timeZone} />: “
      {person.may('emails.read') ? stop.why : maskEmailsIn(stop.why)}” What was sent before is still found out about.{' '}
      {sayLift(stop, person)}
    </Notice>
  );
}

function Lift({ game, person, stop }: StopNoticeProps & { stop: RefundStop }): ReactElement | null {
  if (!person.may('refunds.approve') || stop.liftAskedBy?.id === person.id) return null;
  const word = stop.liftAskedBy === null ? 'Ask to send refunds again' : 'Send refunds again';
  return <ActForm action={resumeRefundsAction} about={{ game: game.slug }} word={word} pendingWord="One moment…" />;
}

function sayLift({ liftAskedBy }: RefundStop, person: Pick<Person, 'id' | 'may'>): string {
  if (liftAskedBy?.id === person.id) return 'You asked for them to be sent again; a second person who may approve refunds has to agree.';
  const asked =
    liftAskedBy === null
      ? 'Two people who may approve refunds let them be sent again'
      : `${liftAskedBy.name} asked for them to be sent again`;
  if (liftAskedBy !== null)
    return person.may('refunds.approve') ? `${asked}; you may agree.` : `${asked}; a second person who may approve has to agree.`;
  return `${asked}, one after the other.`;
}

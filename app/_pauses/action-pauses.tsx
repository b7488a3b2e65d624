import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { ActionPause } from '#lib/actions/reads/action-controls.ts';
import { maskEmailsIn, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { pauseDeskActionsAction, resumeDeskActionsAction } from './actions.ts';
import { formatResumeFor, ResumeForm } from './resume-form.tsx';

interface ActionPauseNoticeProps {
  game: Game;
  person: Person;
  /** null: actions are sent. */
  pause: ActionPause | null;
}

/** On every screen of desk actions while they are paused: who paused them, why, what happens meanwhile, and how they resume. */
export function ActionPauseNotice({ game, person, pause }: ActionPauseNoticeProps): ReactElement | null {
  if (pause === null) return null;
  const { pausedByName, pausedAt, why } = pause;
  return (
    <Notice
      voice="bad"
      title={`Desk actions of ${game.name} are paused`}
      actions={<ResumeForm slug={game.slug} what="desk actions" person={person} pause={pause} action={resumeDeskActionsAction} />}
    >
      Paused by {pausedByName ?? 'Sharebook'} on <Instant at={pausedAt} timeZone={game.timeZone} />: “
      {(person.may('emails.read') ? why : maskEmailsIn(why)).replace(/\.$/, '')}”. No new ones are sent to Invo. What was sent is still
      tracked, and reserved coins go back when their window ends. {formatResumeFor({ what: 'desk actions', person, pause })}
    </Notice>
  );
}

/** Pauses all desk actions of a game, with what that does before the button is pressed. */
export function PauseActionsDialog({ game: { slug, name } }: Pick<ActionPauseNoticeProps, 'game'>): ReactElement {
  return (
    <SideDialog opener="Pause desk actions" title={`Pause desk actions of ${name}`}>
      <ActionForm
        action={pauseDeskActionsAction}
        about={{ game: slug }}
        label={`Pause desk actions of ${name}`}
        pendingLabel="Pausing…"
        kind="danger"
        note={{ label: 'Reason', lengthMax: WHY_LENGTH_MAX, isRequired: true }}
      >
        <p>
          No new ones are requested or sent. What was sent is still tracked, and reserved coins go back when their window ends. Resuming
          needs two approvers.
        </p>
      </ActionForm>
    </SideDialog>
  );
}

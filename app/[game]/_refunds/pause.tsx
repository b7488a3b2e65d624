import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { pauseRefundsAction } from '../_pauses/actions.ts';

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

import type { ReactElement } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { WHY_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { ActForm } from '../act-form.tsx';
import { stopRefundsAction } from './actions.ts';

/** The switch that stops the sending of all refunds of a game, with what it does before it is pressed. */
export function StopDialog({ game }: { game: { slug: string; name: string } }): ReactElement {
  return (
    <SideDialog opener="Stop all refunds" title={`Stop all refunds of ${game.name}`}>
      <ActForm
        action={stopRefundsAction}
        about={{ game: game.slug }}
        word={`Stop all refunds of ${game.name}`}
        pendingWord="Stopping…"
        kind="danger"
        why={{ label: 'Why', lengthMax: WHY_LENGTH_MAX, isRequired: true }}
      >
        <p>
          From the moment you press it no refund is sent to Invo, whoever asked for it. What is on its way still ends, and what was sent
          before is still found out about. Refunds can be asked for and approved meanwhile.
        </p>
        <p>Two people who may approve refunds lift the stop, one after the other.</p>
      </ActForm>
    </SideDialog>
  );
}

import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { pauseDeskActionsAction, resumeDeskActionsAction } from '#app/_pauses/actions.ts';
import { ResumeForm } from '#app/_pauses/resume-form.tsx';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { findActionsOverview } from '#lib/actions/reads/list-actions.ts';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { ActionPauseNotice } from '../_actions/action-pause-notice.tsx';
import type { SearchParams } from '../_rows/define-list.ts';
import { actionsList, actionsOf } from './action-table.ts';

interface ActionsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Actions' };

export default async function ActionsPage({ params, searchParams }: ActionsPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const game = await requireGame((await params).game);
  const { pause, ...overview } = await findActionsOverview(db(), game.gameId);
  const { spec, first } = await actionsList.loadFirst(actionsOf(game, person), searchParams);
  return (
    <>
      <PageHead
        title="Actions"
        actions={person.may('actions.request') && pause === null && <PauseDialog slug={game.slug} name={game.name} />}
      >
        What support, live-ops and finance do at Invo for a player, beside refunds. Each is stored before it is sent.
      </PageHead>
      <ActionPauseNotice game={game} person={person} pause={pause}>
        {pause !== null && (
          <ResumeForm slug={game.slug} what="desk actions" person={person} pause={pause} action={resumeDeskActionsAction} />
        )}
      </ActionPauseNotice>
      {overview.isEmpty ? (
        <EmptyState title="No desk actions yet">They start on the page of a player, an order or a transfer.</EmptyState>
      ) : (
        <>
          {overview.waitingCount > 0 && (
            <TableNote>
              {overview.waitingCount === 1 ? '1 action waits' : `${overview.waitingCount} actions wait`} for a person.{' '}
              <Link href={`/${game.slug}/actions?show=for_people`}>Show what needs action</Link>.
            </TableNote>
          )}
          <DataTable key={overview.token} spec={spec} first={first} />
          <TableNote>Times in UTC.</TableNote>
        </>
      )}
    </>
  );
}

/** Pauses all desk actions of a game, with what that does before the button is pressed. */
function PauseDialog({ slug, name }: { slug: string; name: string }): ReactElement {
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
        <p>No new ones are requested or sent. What was sent is still tracked.</p>
        <p>Resuming needs two approvers.</p>
      </ActionForm>
    </SideDialog>
  );
}

import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { findTasks } from '#app/_shell/badge-count.ts';
import { SearchField } from '#app/_shell/search/search-dialog.tsx';
import { formatAge, formatPlayer } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { formatEmail } from '#app/[game]/_subscriptions/format-names.ts';
import { TaskTable } from '#app/[game]/_tasks/task-table.tsx';
import { type LookUp, listLookUps } from '#lib/players/reads.ts';
import { canDo, DESK_KINDS } from '#lib/tasks/rules/task.ts';
import styles from './players.module.css';

export const metadata: Metadata = { title: 'Players' };

/** The first page of support: the search, what needs them, and whom they looked up last. */
export default async function PlayersPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const game = await requireGame((await params).game);
  const [{ tasks: all, readAt }, lookUps] = await Promise.all([findTasks(game, person), listLookUps(db(), game.gameId, person.id)]);
  const tasks = all.filter(({ kind }) => DESK_KINDS.includes(kind));
  const count = tasks.filter(({ kind }) => canDo(kind, person.roles)).reduce((sum, each) => sum + each.count, 0);
  const summary = count === 0 ? 'No refund and no webhook needs you.' : count === 1 ? 'One thing needs you.' : `${count} things need you.`;
  return (
    <>
      <PageHead title="Players">{summary}</PageHead>
      <Card title="Find a player">
        <div className={styles.search}>
          <SearchField canSeeEmails={person.may('emails.read')} describedBy="search-hint" />
        </div>
        <p id="search-hint" className={styles.hint}>
          Type an email, a player ID, or the ID of a subscription, period, transaction or order. The search opens as you type. Invo finds
          players by email only.
        </p>
      </Card>
      {tasks.length > 0 && <TaskTable label="Refunds and webhooks" game={game} person={person} tasks={tasks} readAt={readAt} />}
      {lookUps.length === 0 ? (
        <EmptyState title="No players looked up yet">The last players you open are listed here, for you alone.</EmptyState>
      ) : (
        <LookUps slug={game.slug} lookUps={lookUps} readAt={readAt} canSeeEmails={person.may('emails.read')} />
      )}
    </>
  );
}

interface LookUpsProps {
  slug: string;
  lookUps: LookUp[];
  readAt: string;
  canSeeEmails: boolean;
}

/** The players a person opened last; nobody else sees the list. */
function LookUps({ slug, lookUps, readAt, canSeeEmails }: LookUpsProps): ReactElement {
  const emailOf = ({ email }: LookUp): string => (email === null ? 'email not reported' : formatEmail(email, canSeeEmails));
  const columns: SimpleColumn<LookUp>[] = [
    {
      label: 'Looked up by you',
      cell: (each) => (
        <>
          <Link href={`/${slug}/players/${each.playerId}`}>{formatPlayer(each.name, each.playerId)}</Link>
          <NarrowNote>{emailOf(each)}</NarrowNote>
        </>
      ),
    },
    { label: 'Email', isWideOnly: true, cell: (each) => <bdi>{emailOf(each)}</bdi> },
    { label: 'Player ID', isFigure: true, isWideOnly: true, cell: ({ playerId }) => playerId },
    { label: 'Last opened', isFigure: true, cell: ({ lookedAt }) => formatAge(lookedAt, readAt) },
  ];
  return <SimpleTable label="Players you looked up" columns={columns} rows={lookUps} keyOf={({ playerId }) => playerId} />;
}

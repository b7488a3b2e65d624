'use client';

import { Component, type ReactElement, type ReactNode, useMemo, useState, useTransition } from 'react';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { PagePart, RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { SHAREBOOK_UNREACHABLE } from '#lib/search/text.ts';

/** The part as it is now, or why it wasn't read. */
type PartAnswer = { kind: 'part'; content: ReactNode } | { kind: 'refused'; sentence: string };

interface PlayerPartProps {
  /** As in "Refresh the wallet". */
  name: string;
  title: string;
  /** Reads this part again, and nothing else of the page. */
  read: () => Promise<PartAnswer>;
  children: ReactNode;
}

/** A part of a player's page that is read, fails and is read again without the others. */
export function PlayerPart({ name, title, read, children }: PlayerPartProps): ReactElement {
  const [reread, setReread] = useState<{ answer: PartAnswer; instead: ReactNode; count: number } | null>(null);
  const [isPending, start] = useTransition();
  const part = useMemo(
    () => ({
      name,
      isPending,
      refresh: () =>
        start(async () => {
          const answer = await read().catch((): PartAnswer => ({ kind: 'refused', sentence: SHAREBOOK_UNREACHABLE }));
          setReread((before) => ({ answer, instead: children, count: (before?.count ?? 0) + 1 }));
        }),
    }),
    [name, isPending, read, children],
  );
  // A page that was drawn again since has newer content.
  const answer = reread !== null && reread.instead === children ? reread.answer : null;
  return (
    <PagePart value={part}>
      {answer?.kind === 'refused' && (
        <Notice voice="bad" title={`Couldn’t refresh ${name}`} actions={<RefreshButton word="Try again" />}>
          {answer.sentence}
        </Notice>
      )}
      <PartBoundary key={reread?.count} title={title}>
        {answer?.kind === 'part' ? answer.content : children}
      </PartBoundary>
    </PagePart>
  );
}

/** Shows a part that failed without the page around it. Redirects and the like of the framework pass. */
class PartBoundary extends Component<{ title: string; children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const digest = typeof error === 'object' && 'digest' in error ? String(error.digest) : null;
    if (digest?.startsWith('NEXT_')) throw error;
    return (
      <Card title={this.props.title} aside={<RefreshButton word="Try again" isQuiet />}>
        <p>Something went wrong. The other parts of this page aren’t affected.{digest !== null && ` Reference: ${digest}`}</p>
      </Card>
    );
  }
}

import { notFound } from 'next/navigation';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { AskingSkeleton } from '#app/[game]/_subscriptions/asking-skeleton.tsx';
import { parseSubscriptionId } from '#lib/search/rules/parse-search.ts';

interface ChangePageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  title: string;
  /** The sentence under the title. */
  words: string;
  /** What the page shows once Invo was asked. */
  body: (game: Game, subscriptionId: string) => ReactNode;
}

/** The frame of the three pages that change a subscription: who may, which one, and the way back. */
export async function ChangePage({ params, title, words, body }: ChangePageProps): Promise<ReactElement> {
  await requirePerson('subscriptions.change');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  return (
    <>
      <PageHead title={title} actions={<LinkButton href={`/${slug}/subscriptions/${subscriptionId}`}>The subscription</LinkButton>}>
        {words}
      </PageHead>
      <Suspense fallback={<AskingSkeleton />}>{body(game, subscriptionId)}</Suspense>
    </>
  );
}

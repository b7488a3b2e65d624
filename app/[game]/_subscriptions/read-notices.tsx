import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/clock.ts';
import { type Game, listGames } from '#app/_server/game.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatAge, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import styles from './detail.module.css';
import { formatGameName } from './format-names.ts';
import { RefreshButton } from './loading-from-invo.tsx';

export interface ReadNoticesProps {
  reads: { detail: Detail<unknown>; what: string }[];
  /** Names all of them at once. */
  together: string;
}

/** How fresh each read of a page is: one notice where all of them met the same trouble and are of the same age, as they mostly are. */
export function ReadNotices({ reads, together }: ReadNoticesProps): ReactElement {
  const [first] = reads;
  const kinds = new Set(reads.map(({ detail }) => sayLike(detail)));
  if (first !== undefined && kinds.size === 1) return <ReadNotice detail={first.detail} what={together} />;
  return (
    <>
      {reads.map(({ detail, what }) => (
        <ReadNotice key={what} detail={detail} what={what} />
      ))}
    </>
  );
}

// Ages that are told apart to the minute.
function sayLike(detail: Detail<unknown>): string {
  const age = detail.kind === 'stored' ? detail.readAt.slice(0, 'yyyy-mm-ddThh:mm'.length) : '';
  return 'trouble' in detail ? `${detail.kind} ${detail.trouble.code} ${age}` : detail.kind;
}

/** Says how fresh the page is, when it is not live: what Invo said last and why it could not be asked, or that nothing is held. */
export async function ReadNotice({ detail, what }: { detail: Detail<unknown>; what: string }): Promise<ReactElement | null> {
  if (detail.kind === 'live' || detail.kind === 'not_found') return null;
  const { sentence, errorId } = detail.trouble;
  const actions = (
    <>
      <RefreshButton word="Ask Invo again" />
      {errorId !== null && <CopyButton text={errorId} what="reference" />}
    </>
  );
  if (detail.kind === 'nothing')
    return (
      <Notice voice="bad" title={`Invo could not be asked about ${what}, and no earlier answer is held`} actions={actions}>
        {sentence}
      </Notice>
    );
  const age = formatAge(detail.readAt, await storedNow());
  return (
    <Notice voice="wait" title={`Invo could not be asked about ${what}: this is what it said ${age}`} actions={actions}>
      {sentence} Read at {formatUtc(detail.readAt)}; it may have changed since.
    </Notice>
  );
}

/** Invo's own word that a thing is not in this game and environment, and the way to the others the person may see. */
export async function NotInGame({ game, what, path }: { game: Game; what: string; path: string }): Promise<ReactElement> {
  const others = (await listGames()).filter(({ slug }) => slug !== game.slug);
  return (
    <EmptyState
      title={`${what} is not in this game and environment`}
      action={
        others.length > 0 && (
          <div className={styles.actions}>
            {others.map((other) => (
              <LinkButton key={other.slug} href={`/${other.slug}/${path}`}>
                Look in {formatGameName(other)}
              </LinkButton>
            ))}
          </div>
        )
      }
    >
      Invo was asked and does not know it in {formatGameName(game)}. Ids of other games and of the other environment are not found here.
    </EmptyState>
  );
}

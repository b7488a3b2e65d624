import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import styles from './detail.module.css';
import { formatGameName } from './format-names.ts';
import { ReadAge, RefreshButton } from './invo-controls.tsx';

export interface ReadNoticesProps {
  reads: { detail: Detail<unknown>; what: string }[];
  /** Names all of them together. */
  together: string;
}

/** How fresh each read of a page is; one notice when all reads failed with the same error and are of the same age. */
export function ReadNotices({ reads, together }: ReadNoticesProps): ReactElement {
  const [first] = reads;
  const kinds = new Set(reads.map(({ detail }) => likenessOf(detail)));
  if (first !== undefined && kinds.size === 1) return <ReadNotice detail={first.detail} what={together} />;
  return (
    <>
      {reads.map(({ detail, what }) => (
        <ReadNotice key={what} detail={detail} what={what} />
      ))}
    </>
  );
}

// Ages are distinguished to the minute.
function likenessOf(detail: Detail<unknown>): string {
  const age = detail.kind === 'stored' ? detail.readAt.slice(0, 'yyyy-mm-ddThh:mm'.length) : '';
  return 'error' in detail ? `${detail.kind} ${detail.error.code} ${age}` : detail.kind;
}

interface ReadNoticeProps {
  detail: Detail<unknown>;
  what: string;
  /** Nothing of it is ever stored. */
  isUnstored?: boolean;
}

/** How fresh a read is when it isn't live: the age of the stored data, or that nothing is stored, and why Invo couldn't be read. */
export function ReadNotice({ detail, what, isUnstored = false }: ReadNoticeProps): ReactElement | null {
  if (detail.kind === 'live' || detail.kind === 'not_found') return null;
  const { sentence, errorId } = detail.error;
  const actions = (
    <>
      <RefreshButton word="Try again" />
      {errorId !== null && <CopyButton text={errorId} what="error ID" />}
    </>
  );
  if (detail.kind === 'nothing')
    return (
      <Notice voice="bad" title={`Couldn’t load ${what} from Invo.${isUnstored ? '' : ' Nothing is stored yet.'}`} actions={actions}>
        {sentence}
      </Notice>
    );
  return (
    <Notice voice="wait" title={`Couldn’t refresh ${what}. Showing data from ${formatUtc(detail.readAt)}.`} actions={actions}>
      {sentence} The data shown may have changed since.
    </Notice>
  );
}

/** Invo doesn't know a thing in this game and environment; links to the other games the person may see. */
export async function NotInGame({ game, what, path }: { game: Game; what: string; path: string }): Promise<ReactElement> {
  const others = (await listGames()).filter(({ slug }) => slug !== game.slug);
  return (
    <EmptyState
      title={`${what} isn’t in this game and environment`}
      action={
        others.length > 0 && (
          <div className={styles.actions}>
            {others.map((other) => (
              <LinkButton key={other.slug} href={`/${other.slug}/${path}`}>
                View in {formatGameName(other)}
              </LinkButton>
            ))}
          </div>
        )
      }
    >
      Invo has no such record in {formatGameName(game)}. IDs of other games and of the other environment aren’t found here.
    </EmptyState>
  );
}

interface ReadLineProps {
  /** How a reading came out; a failed one has its own notice. */
  detail: { kind: string; readAt?: string; age_s?: number };
  timeZone: string;
  note?: string;
}

/** When a reading was made, and a button that makes it again. */
export function ReadLine({ detail, timeZone, note }: ReadLineProps): ReactElement | null {
  if (detail.readAt === undefined) return null;
  return (
    <div className={styles.source}>
      <p>
        {detail.kind === 'live' ? 'Read from Invo at' : 'Last read from Invo at'}{' '}
        <ReadTime {...detail} at={detail.readAt} timeZone={timeZone} />.{note !== undefined && ` ${note}`}
      </p>
      <RefreshButton word="Refresh" />
    </div>
  );
}

/** When something was read, and how long ago. */
export function ReadTime({ at, age_s = 0, timeZone }: { at: string; age_s?: number; timeZone: string }): ReactElement {
  return (
    <>
      <Instant at={at} timeZone={timeZone} precision="second" /> (<ReadAge key={at} age_s={age_s} />)
    </>
  );
}

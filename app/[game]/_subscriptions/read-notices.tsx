import type { ReactElement } from 'react';
import type { Detail } from '#lib/subscriptions/read-detail.ts';
import { ReadNotice } from './read-notice.tsx';

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

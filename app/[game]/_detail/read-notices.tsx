import type { ReactElement } from 'react';
import type { Detail } from '../../../lib/operations/look-up/read-detail.ts';
import { ReadNotice } from './read-notice.tsx';

export interface ReadNoticesProps {
  reads: { detail: Detail<unknown>; what: string }[];
  /** Names all of them at once. */
  together: string;
}

/** How fresh each read of a page is: one notice where all of them met the same trouble, as they mostly do. */
export function ReadNotices({ reads, together }: ReadNoticesProps): ReactElement {
  const [first] = reads;
  const kinds = new Set(reads.map(({ detail }) => ('trouble' in detail ? `${detail.kind} ${detail.trouble.code}` : detail.kind)));
  if (first !== undefined && kinds.size === 1) return <ReadNotice detail={first.detail} what={together} />;
  return (
    <>
      {reads.map(({ detail, what }) => (
        <ReadNotice key={what} detail={detail} what={what} />
      ))}
    </>
  );
}

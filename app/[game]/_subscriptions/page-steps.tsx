import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import detail from './detail.module.css';

export interface PageStepsProps {
  /** Address of the list; `from` is added. */
  href: string;
  noun: string;
  offset: number;
  shown: number;
  /** How many Invo says there are. */
  total: number;
  pageSize: number;
}

/** Which part of a list is on the screen and the way to the others; what lies past the farthest place Invo answers is told, not hidden. */
export function PageSteps({ href, noun, offset, shown, total, pageSize }: PageStepsProps): ReactElement | null {
  if (offset === 0 && shown >= total) return null;
  const next = offset + pageSize;
  const isPastEnd = next > OFFSET_MAX && offset + shown < total;
  return (
    <nav className={detail.tools} aria-label={`Pages of ${noun}`}>
      <p className={detail.quiet}>
        {shown === 0 ? 'None here' : `${formatCount(offset + 1)} to ${formatCount(offset + shown)}`} of {formatCount(total)} {noun}
        {isPastEnd && `; Invo does not answer past ${formatCount(OFFSET_MAX)}, so this is not all of them`}
      </p>
      {offset > 0 && <LinkButton href={offset <= pageSize ? href : `${href}?from=${offset - pageSize}`}>Newer</LinkButton>}
      {offset + shown < total && !isPastEnd && <LinkButton href={`${href}?from=${next}`}>Older</LinkButton>}
    </nav>
  );
}

/** The farthest a list of Invo can be asked for (document 2, limits). */
export const OFFSET_MAX = 100_000;

/** Where a page of a list begins, from an address: a whole number within what Invo answers, else the beginning. */
export function readOffset(text: string | string[] | undefined): number {
  const offset = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return offset <= OFFSET_MAX ? offset : 0;
}

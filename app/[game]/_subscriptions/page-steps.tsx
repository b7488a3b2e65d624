import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatCount } from '#app/_ui/figures/format.ts';
import detail from './detail.module.css';

export interface PageStepsProps {
  /** The address of the list, without `from`. */
  href: string;
  noun: string;
  offset: number;
  shown: number;
  /** The total Invo reports. */
  total: number;
  pageSize: number;
}

/** Which part of a list is shown, and links to the others. It says so when Invo doesn't list the rest. */
export function PageSteps({ href, noun, offset, shown, total, pageSize }: PageStepsProps): ReactElement | null {
  if (offset === 0 && shown >= total) return null;
  const next = offset + pageSize;
  const isPastEnd = next > OFFSET_MAX && offset + shown < total;
  return (
    <nav className={detail.tools} aria-label={`Pages of ${noun}`}>
      <p className={detail.quiet}>
        {shown === 0 ? 'None' : `${formatCount(offset + 1)}–${formatCount(offset + shown)}`} of {formatCount(total)} {noun}
        {isPastEnd && `. Invo lists at most ${formatCount(OFFSET_MAX)}, so this list is incomplete.`}
      </p>
      {offset > 0 && <LinkButton href={offset <= pageSize ? href : `${href}?from=${offset - pageSize}`}>Newer</LinkButton>}
      {offset + shown < total && !isPastEnd && <LinkButton href={`${href}?from=${next}`}>Older</LinkButton>}
    </nav>
  );
}

/** Invo's largest offset (document 2, Limits). */
const OFFSET_MAX = 100_000;

/** Parses the offset in an address; anything else than a whole number up to the maximum is 0. */
export function parseOffset(text: string | string[] | undefined): number {
  const offset = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return offset <= OFFSET_MAX ? offset : 0;
}

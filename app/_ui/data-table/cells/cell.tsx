import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { formatInstant } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { CellContent, CellShape, FlagCell, IdentityCell, LinkCell, MonthCell } from '../table-words.ts';
import styles from './cell.module.css';
import { MonthBars } from './month-bars.tsx';
import { showControls } from './visible-text.ts';

/** One cell, drawn by its shape. Nothing recorded says so and is never a zero. */
export function Cell({ shape, content }: { shape: CellShape; content: CellContent | undefined }): ReactNode {
  if (content === undefined) return null;
  if (content === null) return shape === 'text' || shape === 'id' ? <Missing /> : <Missing isRight={isRight(shape)} />;
  return DRAWN[shape](content);
}

/** Whether a shape stands at the right of its column. */
export function isRight(shape: CellShape): boolean {
  return shape === 'money' || shape === 'money-strong' || shape === 'count' || shape === 'coins' || shape === 'percent';
}

const DRAWN: Record<CellShape, (content: NonNullable<CellContent>) => ReactNode> = {
  identity: (content) => <Identity {...(content as IdentityCell)} />,
  text: (content) => <PlainText text={String(content)} />,
  id: (content) => <span className={styles.id}>{String(content)}</span>,
  money: (content) => <Money amount={String(content)} />,
  'money-strong': (content) => <Money amount={String(content)} isStrong />,
  coins: (content) => <span className={styles.right}>{formatMoney(String(content))}</span>,
  count: (content) => (
    <span className={clsx(styles.right, Number(content) === 0 && styles.zero)}>{Number(content).toLocaleString('en-US')}</span>
  ),
  percent: (content) => <span className={styles.right}>{String(content)} %</span>,
  instant: (content) => <InstantText at={String(content)} />,
  boolean: (content) => (content ? 'yes' : 'no'),
  link: (content) => <TextLink {...(content as LinkCell)} />,
  months: (content) => <MonthBars months={content as MonthCell[]} />,
  flags: (content) => <Flags flags={content as FlagCell[]} />,
};

function Identity({ name, playerId, note, href, isShort = false }: IdentityCell): ReactElement {
  const shown = name === null || name.trim() === '' ? `Player ${playerId}` : showControls(name);
  return (
    <span className={clsx(styles.identity, isShort && styles.short)}>
      <Link href={href} prefetch={false} className={styles.name} title={shown} tabIndex={-1}>
        <bdi>{shown}</bdi>
      </Link>
      <span className={styles.note} title={showControls(note)}>
        <bdi>{showControls(note)}</bdi>
      </span>
    </span>
  );
}

function PlainText({ text }: { text: string }): ReactElement {
  const shown = showControls(text);
  return (
    <span className={styles.text} title={shown}>
      <bdi>{shown}</bdi>
    </span>
  );
}

function InstantText({ at }: { at: string }): ReactElement {
  return (
    <time className={styles.text} dateTime={at} title={at}>
      {formatInstant(at, 'UTC', 'second')}
    </time>
  );
}

function TextLink({ text, href }: LinkCell): ReactElement {
  return (
    <Link href={href} prefetch={false} className={styles.link} tabIndex={-1}>
      {text}
    </Link>
  );
}

function Flags({ flags }: { flags: FlagCell[] }): ReactElement {
  return (
    <span className={styles.flags} title={flags.map((flag) => flag.word).join(', ')}>
      {flags.map(({ tone, word, href }) =>
        href === undefined ? (
          <Flag key={word} tone={tone} word={word} />
        ) : (
          <Link key={word} href={href} prefetch={false} tabIndex={-1}>
            <Flag tone={tone} word={word} />
          </Link>
        ),
      )}
    </span>
  );
}

function Missing({ isRight: right = false }: { isRight?: boolean }): ReactElement {
  return <span className={clsx(styles.missing, right && styles.right)}>not recorded</span>;
}

import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { formatCount, formatInstant, formatPlayer, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import type { CellShape } from '#lib/core/csv.ts';
import { formatMoney } from '#lib/core/money.ts';
import styles from './cells.module.css';
import type { CellContent, FlagCell, IdentityCell, LinkCell, MonthCell } from './table-spec.ts';

interface CellProps {
  shape: CellShape;
  content: CellContent | undefined;
  /** Decimal places of the column. */
  places?: number | undefined;
}

/** One cell, drawn by its shape. A value Invo doesn’t report is named as such and never a zero. */
export function Cell({ shape, content, places }: CellProps): ReactNode {
  if (content === undefined) return null;
  if (content === null) return shape === 'text' || shape === 'id' ? <Missing /> : <Missing isRight={isRight(shape)} />;
  return DRAWN[shape](content, places ?? 2);
}

/** Whether a shape is right-aligned. */
export function isRight(shape: CellShape): boolean {
  return shape === 'money' || shape === 'money-strong' || shape === 'count' || shape === 'coins' || shape === 'percent';
}

const DRAWN: Record<CellShape, (content: NonNullable<CellContent>, places: number) => ReactNode> = {
  identity: (content) => <Identity {...(content as IdentityCell)} />,
  text: (content) => <PlainText text={String(content)} />,
  id: (content) => <span className={styles.id}>{String(content)}</span>,
  money: (content, places) => <Money amount={String(content)} places={places} />,
  'money-strong': (content, places) => <Money amount={String(content)} isStrong places={places} />,
  coins: (content) => <span className={styles.right}>{formatMoney(String(content))}</span>,
  count: (content) => <span className={clsx(styles.right, Number(content) === 0 && styles.zero)}>{formatCount(Number(content))}</span>,
  percent: (content) => <span className={styles.right}>{String(content)}%</span>,
  instant: (content) => <InstantText at={String(content)} />,
  boolean: (content) => (content ? 'yes' : 'no'),
  link: (content) => <TextLink {...(content as LinkCell)} />,
  months: (content) => <MonthBars months={content as MonthCell[]} />,
  flags: (content) => <Flags flags={content as FlagCell[]} />,
};

function Identity({ name, playerId, note, href, isShort = false }: IdentityCell): ReactElement {
  const shown = formatPlayer(name, playerId);
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

function TextLink({ text, href, narrowNote }: LinkCell): ReactElement {
  const link = (
    <Link href={href} prefetch={false} className={styles.link} tabIndex={-1}>
      {text}
    </Link>
  );
  if (narrowNote === undefined) return link;
  return (
    <span className={styles.identity}>
      {link}
      <span className={clsx(styles.note, styles.narrowNote)}>{narrowNote}</span>
    </span>
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
  return <span className={clsx(styles.missing, right && styles.right)}>not reported</span>;
}

const STEP = 14;
const HEIGHT = 24;
const BASE = 18;

/** Six small bars, one per month, this month last and darkest; negative months are below the line. The figures are in its label. */
function MonthBars({ months }: { months: MonthCell[] }): ReactElement | null {
  if (months.every((month) => month.height === null)) return null;
  const label = months.map((month) => month.label).join(', ');
  return (
    <svg width={STEP * months.length} height={HEIGHT} role="img" aria-label={label} className={styles.bars}>
      <title>{label}</title>
      {months.map(({ height, label: key }, index) => (
        <Bar key={key} x={index * STEP} height={height} isLast={index === months.length - 1} />
      ))}
    </svg>
  );
}

function Bar({ x, height, isLast }: { x: number; height: number | null; isLast: boolean }): ReactElement {
  if (height === null) return <rect x={x} y={BASE - 1} width={10} height={1} className={styles.none} />;
  const length = Math.max(1.5, Math.abs(height) * (height < 0 ? HEIGHT - BASE : BASE));
  return (
    <rect
      x={x}
      y={height < 0 ? BASE : BASE - length}
      width={10}
      height={length}
      rx={1.5}
      className={height < 0 ? styles.below : isLast ? styles.last : styles.bar}
    />
  );
}

import { formatMoney, negateMoney } from '#lib/core/money.ts';
import { formatMonth } from '../figures/format-instant.ts';
import { chartScale, placeOf, type Scale, toDrawing } from './chart-scale.ts';

export interface TrendMonth {
  /** YYYY-MM. */
  month: string;
  href: string;
  /** null: never pulled or not tying, the series breaks here. */
  figures: { gross_attributed_usd: string; reversed_attributed_usd: string; net_attributed_usd: string } | null;
  /** Still moving: drawn hatched. */
  isOpen: boolean;
  /** Its state in a word. */
  word: string;
}

/** Height of the part that is drawn on, the space above it, and the space for the months beneath, in pixels. */
export const PLOT = { height: 190, top: 30, foot: 26 };

/** The whole drawing from top to bottom, in pixels. */
export const TREND_HEIGHT = PLOT.top + PLOT.height + PLOT.foot;

/** What a month is drawn from: earned above zero, reversed below, the net; null where the series breaks. */
export function drawingOf({ figures }: TrendMonth): { gross: number; reversed: number; net: number } | null {
  if (figures === null) return null;
  return {
    gross: toDrawing(figures.gross_attributed_usd),
    reversed: toDrawing(negateMoney(figures.reversed_attributed_usd)),
    net: toDrawing(figures.net_attributed_usd),
  };
}

/** A month and its figures in a sentence, exactly. */
export function sentenceOf({ month, figures, word, isOpen }: TrendMonth): string {
  const name = formatMonth(month, 'short');
  if (figures === null) return `${name}: ${word.toLowerCase()}`;
  const net = formatMoney(figures.net_attributed_usd);
  const gross = formatMoney(figures.gross_attributed_usd);
  return `${name}: net ${net}, earned ${gross}, reversed ${formatMoney(negateMoney(figures.reversed_attributed_usd))}${isOpen ? ', still open' : ''}`;
}

/** How far down the drawing a value stands. */
export function heightOf(value: number, scale: Scale): number {
  return PLOT.top + placeOf(value, scale, PLOT.height);
}

/** Whether the name of a month stands beneath it: every few months, counted back from the newest; on narrow screens every third of those. */
export function labelOf(place: number, count: number): 'always' | 'wide' | 'none' {
  const step = Math.ceil(count / 14);
  const fromLast = count - 1 - place;
  if (fromLast % step !== 0) return 'none';
  return fromLast % (3 * step) === 0 ? 'always' : 'wide';
}

/** The scale that holds every figure of some months. */
export function scaleOf(months: TrendMonth[]): Scale {
  return chartScale(months.flatMap((month) => Object.values(drawingOf(month) ?? {})));
}

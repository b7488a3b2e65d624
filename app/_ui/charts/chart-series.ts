import { formatMoney, negateMoney, subtractMoney } from '#lib/core/money.ts';
import { formatMonth } from '../figures/format.ts';

/** The only place where an amount becomes a float: for drawing, never for a figure. */
function toDrawing(amount: string): number {
  return Number(amount);
}

/** Share of the height left free beyond the outermost values. */
const ROOM = 0.04;

export interface Scale {
  min: number;
  max: number;
  /** Round values to draw lines at, lowest first; zero is always one of them. */
  ticks: number[];
}

/** A scale that holds every value and zero with a little room beyond, and its few round values. No values, or only zeros: 0 to 1. */
export function chartScale(values: number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return { min: 0, max: 1, ticks: [0] };
  const room = (high - low) * ROOM;
  const [min, max] = [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
  const step = roundStep((max - min) / 5);
  const first = Math.ceil(min / step);
  const ticks = Array.from({ length: Math.floor(max / step) - first + 1 }, (_, place) => (first + place) * step);
  return { min, max, ticks };
}

/** The offset of a value from the top of a drawing of this height, in pixels; the highest value is 0. */
export function placeOf(value: number, { min, max }: Scale, height: number): number {
  return ((max - value) / (max - min)) * height;
}

/** A value on an axis: `250`, `12.5k`, `2M`. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  const short = size >= 1_000_000 ? `${trim(size / 1_000_000)}M` : size >= 1_000 ? `${trim(size / 1_000)}k` : trim(size);
  return value < 0 ? `−${short}` : short;
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

function trim(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export interface TrendMonth {
  /** YYYY-MM. */
  month: string;
  href: string;
  /** null: not pulled or not reconciled; the series breaks here. */
  figures: { gross_attributed_usd: string; reversed_attributed_usd: string; net_attributed_usd: string } | null;
  /** Its figures still change: drawn hatched. */
  isOpen: boolean;
  /** Its state. */
  word: string;
}

/** Height of the plot, the space above it, and the space for labels below, in pixels. */
export const PLOT = { height: 130, top: 26, foot: 26 };

/** The whole drawing from top to bottom, in pixels. */
export const TREND_HEIGHT = PLOT.top + PLOT.height + PLOT.foot;

/** What a month is drawn from: gross above zero, reversed below, the net; null where the series breaks. */
export function drawingOf({ figures }: TrendMonth): { gross: number; reversed: number; net: number } | null {
  if (figures === null) return null;
  return {
    gross: toDrawing(figures.gross_attributed_usd),
    reversed: toDrawing(negateMoney(figures.reversed_attributed_usd)),
    net: toDrawing(figures.net_attributed_usd),
  };
}

/** A month with its exact figures, as a label. */
export function formatTrendMonth({ month, figures, word, isOpen }: TrendMonth): string {
  const name = formatMonth(month, 'short');
  if (figures === null) return `${name}: ${word.toLowerCase()}`;
  const net = formatMoney(figures.net_attributed_usd);
  const gross = formatMoney(figures.gross_attributed_usd);
  return `${name}: net attributed ${net}, gross ${gross}, reversed ${formatMoney(negateMoney(figures.reversed_attributed_usd))}${isOpen ? ', open' : ''}`;
}

/** The offset of a value from the top of the drawing. */
export function heightOf(value: number, scale: Scale): number {
  return PLOT.top + placeOf(value, scale, PLOT.height);
}

/** Whether a month is labelled: every few months, counted back from the newest; on narrow screens every third of those. */
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

/** The totals of a window, in Invo’s names; USD as exact text. */
export interface FlowFigures {
  settled_gross_usd: string;
  invo_fee_usd: string;
  partner_revenue_settled_usd: string;
  partner_revenue_reversed_usd: string;
  partner_revenue_usd: string;
  net_attributed_usd: string;
}

export interface FlowStep {
  label: string;
  /** Exact; what is deducted is negative. */
  amount: string;
  /** The two amounts its bar spans, for drawing only. */
  from: number;
  to: number;
  kind: 'whole' | 'taken' | 'kept';
}

/** Height of the bars, in pixels. */
export const FLOW_HEIGHT = 72;

/** The steps from what players paid to what the partner keeps. */
export function flowSteps(figures: FlowFigures): FlowStep[] {
  const kept = subtractMoney(figures.partner_revenue_usd, figures.net_attributed_usd);
  const [gross, settled, revenue] = [
    toDrawing(figures.settled_gross_usd),
    toDrawing(figures.partner_revenue_settled_usd),
    toDrawing(figures.partner_revenue_usd),
  ];
  return [
    { label: 'Settled gross', amount: figures.settled_gross_usd, from: 0, to: gross, kind: 'whole' },
    { label: 'Invo fee', amount: negateMoney(figures.invo_fee_usd), from: gross, to: settled, kind: 'taken' },
    { label: 'Partner revenue settled', amount: figures.partner_revenue_settled_usd, from: 0, to: settled, kind: 'whole' },
    {
      label: 'Partner revenue reversed',
      amount: negateMoney(figures.partner_revenue_reversed_usd),
      from: settled,
      to: revenue,
      kind: 'taken',
    },
    { label: 'Net attributed', amount: negateMoney(figures.net_attributed_usd), from: revenue, to: toDrawing(kept), kind: 'taken' },
    { label: 'Kept before card fees', amount: kept, from: 0, to: toDrawing(kept), kind: 'kept' },
  ];
}

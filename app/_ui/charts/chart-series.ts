import { formatMoney, sumMoney } from '#lib/core/money.ts';
import { formatMonth } from '../figures/format.ts';

/** The only code that turns an amount into a float: for drawing, never for a figure. */
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
  const ticks = Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step);
  return { min, max, ticks };
}

/** The offset of a value from the top of a drawing of this height, in pixels; the highest value is 0. */
export function offsetOf(value: number, { min, max }: Scale, height: number): number {
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

/** A month or a step of a chart, with the figures it shows when a person points at it. */
export interface ChartPoint {
  /** Unique within the chart. */
  key: string;
  title: string;
  /** Its state. */
  note?: string;
  /** Exact amounts in USD. */
  figures: { label: string; amount: string }[];
  /** The page it opens, and the name of the link. */
  link?: { href: string; label: string };
}

/** What a trend draws for each month: a bar up from zero, a bar down from it, and the points of a line. */
export interface TrendSeries {
  up: string;
  down: string;
  line: string;
}

export interface TrendMonth {
  /** YYYY-MM. */
  month: string;
  href: string;
  /** Exact amounts in USD, negative where they are drawn below zero; null: the series breaks here. */
  amounts: TrendSeries | null;
  /** Its figures still change: drawn hatched. */
  isOpen: boolean;
  /** Its state. */
  word: string;
}

/** What a month is drawn from; null where the series breaks. */
export function drawingOf({ amounts }: TrendMonth): { up: number; down: number; line: number } | null {
  if (amounts === null) return null;
  return { up: toDrawing(amounts.up), down: toDrawing(amounts.down), line: toDrawing(amounts.line) };
}

/** A month with its exact figures, as a label. */
export function formatTrendMonth({ month, amounts, word, isOpen }: TrendMonth, names: TrendSeries): string {
  const name = formatMonth(month, 'short');
  if (amounts === null) return `${name}: ${word.toLowerCase()}`;
  const figures = (['line', 'up', 'down'] as const).map((each) => `${names[each].toLowerCase()} ${formatMoney(amounts[each])}`);
  return `${name}: ${figures.join(', ')}${isOpen ? ', open' : ''}`;
}

/** A month as a point of the chart. */
export function trendPoint(month: TrendMonth, names: TrendSeries): ChartPoint {
  const { amounts, href, word } = month;
  const figures = amounts === null ? [] : (['up', 'down', 'line'] as const).map((each) => ({ label: names[each], amount: amounts[each] }));
  const link = { href, label: formatTrendMonth(month, names) };
  return { key: month.month, title: formatMonth(month.month), note: word, figures, link };
}

/** Whether a month is labelled: every few months, counted back from the newest; on narrow screens every third of those. */
export function labelOf(index: number, count: number): 'always' | 'wide' | 'none' {
  const step = Math.ceil(count / 14);
  const fromLast = count - 1 - index;
  if (fromLast % step !== 0) return 'none';
  return fromLast % (3 * step) === 0 ? 'always' : 'wide';
}

/** The scale that holds every figure of some months. */
export function scaleOf(months: TrendMonth[]): Scale {
  return chartScale(months.flatMap((month) => Object.values(drawingOf(month) ?? {})));
}

/** One step of a flow. `whole`: an amount reached, drawn from zero; `taken`: what the next step deducts; `kept`: what is left at the end. */
export interface FlowStep {
  label: string;
  /** Exact USD; what is deducted is negative. */
  amount: string;
  kind: 'whole' | 'taken' | 'kept';
}

/** Adds the two amounts between which each step is drawn: a deduction starts where the step before it ended. */
export function flowSpans(steps: FlowStep[]): (FlowStep & { from: number; to: number })[] {
  let reached = '0';
  return steps.map((step) => {
    const base = step.kind === 'taken' ? reached : '0';
    reached = step.kind === 'taken' ? sumMoney([reached, step.amount]) : step.amount;
    return { ...step, from: toDrawing(base), to: toDrawing(reached) };
  });
}

/** One step of a balance rolled forward: what it opens with, what is due of it, what is paid out, and what is carried into the next step. */
export interface RollForwardStep {
  /** Unique within the chart. */
  key: string;
  /** Short, below the bars. */
  label: string;
  title: string;
  /** Its state. */
  note: string;
  href: string;
  /** It can still change: drawn dashed. */
  isOpen: boolean;
  /** Exact amounts in USD, by the names of the table that has them too. */
  figures: Record<'opening' | 'due' | 'payable' | 'closing', { label: string; amount: string }>;
}

/** The levels a step is drawn between. */
export interface Levels {
  opening: number;
  due: number;
  closing: number;
}

export function levelsOf({ figures: { opening, due, closing } }: RollForwardStep): Levels {
  return { opening: toDrawing(opening.amount), due: toDrawing(due.amount), closing: toDrawing(closing.amount) };
}

/** The scale that holds every level. */
export function scaleOfLevels(levels: Levels[]): Scale {
  return chartScale(levels.flatMap(({ opening, due, closing }) => [opening, due, closing]));
}

/** A step as a point of the chart, its figures in the order of the roll-forward. */
export function rollForwardPoint({ key, title, note, href, figures }: RollForwardStep): ChartPoint {
  const { opening, due, payable, closing } = figures;
  const list = [opening, due, payable, closing];
  const words = list.map(({ label, amount }) => `${label.toLowerCase()} ${formatMoney(amount)}`);
  return { key, title, note, figures: list, link: { href, label: `${title}, ${note.toLowerCase()}: ${words.join(', ')}` } };
}

/** How long the bar of each amount is, from 0 to 1 of the longest, whatever its sign. Only zeros: no bars. */
export function barShares(amounts: readonly string[]): number[] {
  const sizes = amounts.map((amount) => Math.abs(toDrawing(amount)));
  const longest = Math.max(...sizes);
  return sizes.map((size) => (longest === 0 ? 0 : size / longest));
}

/** Amounts above this multiple of the median have a cut bar. */
const CUT_FROM = 4;

/** Like `barShares`, but amounts that would make the others invisible are cut: their bars have the full length and a break. */
export function cutShares(amounts: readonly string[]): { share: number; isCut: boolean }[] {
  const sizes = amounts.map((amount) => Math.abs(toDrawing(amount)));
  const middle = sizes.toSorted((a, b) => b - a)[Math.floor(sizes.length / 2)] ?? 0;
  const longest = Math.max(...sizes);
  const whole = middle === 0 ? longest : Math.min(longest, middle * CUT_FROM);
  return sizes.map((size) => ({ share: whole === 0 ? 0 : Math.min(1, size / whole), isCut: size > whole }));
}

/** The only place where an amount becomes a float: for drawing, never for a figure. */
export function toDrawing(amount: string): number {
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

/** How far down a drawing of some height a value stands, in pixels; the highest value is 0. */
export function placeOf(value: number, { min, max }: Scale, height: number): number {
  return ((max - value) / (max - min)) * height;
}

/** A round value of an axis: 12,500 or 12.5k where space is short. */
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

/** The only place where an amount becomes a float: for drawing, never for a figure. */
export function toDrawing(amount: string): number {
  return Number(amount);
}

export interface Scale {
  min: number;
  max: number;
  /** Round values to draw lines at, lowest first; zero is always one of them. */
  ticks: number[];
}

/** A scale that holds every value and zero, with about four round steps. No values, or only zeros: 0 to 1. */
export function chartScale(values: number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return { min: 0, max: 1, ticks: [0] };
  const step = roundStep((high - low) / 4);
  const min = Math.floor(low / step);
  const max = Math.ceil(high / step);
  const ticks = Array.from({ length: max - min + 1 }, (_, place) => (min + place) * step);
  return { min: min * step, max: max * step, ticks };
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

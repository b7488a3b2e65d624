import { NOT_BUILT, type Reading, type Round, type Work } from './goal.ts';

/** `within noise`: the goal lies inside the range of the rounds, and `holds` says on which side of it the median is. */
export type Verdict = 'holds' | 'misses' | 'within noise';

/** One work as it was measured; null figures: it isn't built. */
export interface Judged {
  figure: number | null;
  limit: number | null;
  /** Ratio of the medians; the figure itself where there is no limit. */
  ratio: number | null;
  /** The least and the most of the ratios of the rounds. */
  range: [number, number] | null;
  verdict: Verdict;
  holds: boolean;
}

/** A limit that moved by more than this between the first round and the last says nothing about the figure beside it. */
const LIMIT_MOVES_MOST = 0.3;

/** Whether the limit of a work moved by more than 30 % from the first round of a run to its last. */
export function hasMovedLimit(rounds: Round[], key: string): boolean {
  const limits = readingsOf(rounds, key).flatMap(({ limit }) => limit ?? []);
  const [first, last] = [limits[0], limits.at(-1)];
  return first !== undefined && last !== undefined && Math.abs(last - first) > LIMIT_MOVES_MOST * first;
}

/** A run that was taken again too often is used as it is; the table says so. */
const RETAKES_MOST = 2;

/** Takes a run, and takes it again while the limit of one of its works moves by more than 30 %: twice at most. */
export async function takeSteadyRun(
  takeRun: () => Promise<Round[]>,
  keys: string[],
  onRetake: (moved: string[]) => void,
): Promise<Round[]> {
  for (let retakes = 0; ; retakes += 1) {
    const rounds = await takeRun();
    const moved = keys.filter((key) => hasMovedLimit(rounds, key));
    if (moved.length === 0 || retakes === RETAKES_MOST) return rounds;
    onRetake(moved);
  }
}

/** Judges one run of a work: the ratio of the medians against the goal, and the range of the rounds. */
export function judge(work: Work, rounds: Round[], key: string): Judged {
  const readings = readingsOf(rounds, key);
  if (readings.length === 0 || readings.length < rounds.length)
    return { figure: null, limit: null, ratio: null, range: null, verdict: 'misses', holds: false };
  const figure = median(readings.map((reading) => reading.figure));
  const limits = readings.flatMap((reading) => reading.limit ?? []);
  if ((work.beside === null) !== (limits.length === 0)) throw new Error(`${work.work}: ${limits.length} limits for "${work.beside}"`);
  // A share of nothing would be infinite, and one of no number would pass for a miss.
  const useless = limits.find((each) => !(each > 0 && each < Infinity));
  if (useless !== undefined) throw new Error(`${work.work}: a limit of ${useless}`);
  const limit = work.beside === null ? null : median(limits);
  const ratio = limit === null ? figure : figure / limit;
  const ratios = readings.map((reading) => reading.figure / (reading.limit ?? 1));
  const range: [number, number] = [Math.min(...ratios), Math.max(...ratios)];
  const holds = isWithin(work, ratio);
  const isUndecided = isWithin(work, range[0]) !== isWithin(work, range[1]);
  return { figure, limit, ratio, range, verdict: isUndecided ? 'within noise' : holds ? 'holds' : 'misses', holds };
}

/** Judges the runs of a work together: the run with the median ratio decides, the range is that of every round. */
export function judgeRuns(work: Work, runs: Round[][], key: string): Judged {
  const judged = runs.map((rounds) => judge(work, rounds, key)).toSorted((a, b) => (a.ratio ?? Infinity) - (b.ratio ?? Infinity));
  const middle = judged[Math.floor(judged.length / 2)];
  if (!middle) throw new Error(`${work.work} was never measured`);
  const ranges = judged.flatMap(({ range }) => range ?? []);
  if (middle.range === null || ranges.length === 0) return middle;
  const range: [number, number] = [Math.min(...ranges), Math.max(...ranges)];
  const isUndecided = isWithin(work, range[0]) !== isWithin(work, range[1]);
  return { ...middle, range, verdict: isUndecided ? 'within noise' : middle.verdict };
}

function isWithin({ goal }: Work, ratio: number): boolean {
  return 'most' in goal ? ratio <= goal.most : ratio >= goal.least;
}

function readingsOf(rounds: Round[], key: string): Reading[] {
  return rounds.map((round) => round[key]).filter((reading) => reading !== undefined && reading !== NOT_BUILT);
}

/** The middle of some values; of an even number of them the upper one. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

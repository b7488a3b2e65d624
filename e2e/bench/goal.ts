/** The performance goals, in the order they are measured and printed. */
export const GOAL_IDS = [
  'G1',
  'G2',
  'G3',
  'G4',
  'G5',
  'G6',
  'G7',
  'G8',
  'G9',
  'G10',
  'G11',
  'G12',
  'G13',
  'G14',
  'G15',
  'G16',
  'G17',
  'G18',
  'G19',
  'G20',
  'G21',
  'G22',
] as const;
export type GoalId = (typeof GOAL_IDS)[number];

/** A figure beside its limit or peer, both taken in the same round in the same unit; without a limit the figure itself is judged. */
export interface Reading {
  figure: number;
  limit?: number;
}

/** What can't be measured yet because the product has no such page, command or route: a miss. */
export const NOT_BUILT = 'not built';

/** One row of the table. */
export interface Work {
  /** What is measured, at which size. */
  work: string;
  unit:
    | 'ms'
    | 'µs'
    | 's'
    | 'MB'
    | 'kB'
    | 'calls'
    | 'lines'
    | 'statements'
    | 'requests/s'
    | '%'
    | 'frames'
    | 'errors'
    | 'deliveries'
    | 'tables';
  /** What the limit is; null: none, the figure itself is held to the goal. */
  beside: string | null;
  /** The bound on the ratio of figure and limit, or on the figure where there is no limit. */
  goal: { most: number } | { least: number };
}

/** The figures of one round, by the key of their work. */
export type Round<Key extends string = string> = Record<Key, Reading | typeof NOT_BUILT>;

/** A goal being measured. */
export interface Measurement<Key extends string = string> {
  /** Measures every work once, each figure in turn with its limit. */
  round(): Promise<Round<Key>>;
  /** Stops what was started for it. */
  close(): Promise<void>;
}

/** A goal, or a part of one, that no measurement here covers. */
export interface Unmeasured {
  id: GoalId;
  work: string;
  goal: string;
  why: 'not measured yet' | 'measured apart';
}

/** What every measurement implements: its works, and how they are measured. */
export interface Goal<Key extends string = string> {
  id: GoalId;
  title: string;
  works: Record<Key, Work>;
  /** How often it is measured; a count that is the same each time needs one. */
  rounds: number;
  open(bench: Bench): Promise<Measurement<Key>>;
}

/** What is closed when it is no longer needed. */
export interface Closeable {
  close(): Promise<void>;
}

/** What a measurement is given. */
export interface Bench {
  /** Says what is going on, on stderr; the table is printed on stdout. */
  say(line: string): void;
  /** Opens something once for every goal of the run that names it; the run closes it at its end. */
  share<T extends Closeable>(name: string, open: () => Promise<T>): Promise<T>;
  /** One short round of everything, on less data: shows that the bench works. Its figures mean nothing. */
  isQuick: boolean;
  /** A folder that stays from one run to the next, for databases that take minutes to fill. */
  folder: string;
}

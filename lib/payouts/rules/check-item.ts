/** What an item of the close asks for: it blocks submission, needs a note, is held, or only informs. */
export type CheckGroup = 'blocks' | 'note' | 'held' | 'info';

/** One row behind an item: its subject and the amounts that show it. */
export interface CheckRow {
  recipientId?: number;
  name?: string | null;
  periodId?: number;
  runNo?: number;
  /** What it is about when it is none of these: the name of a check, a reason. */
  about?: string;
  /** By the names of `CheckFigure`. */
  figures: Partial<Record<CheckFigure, string>>;
}
export type CheckFigure =
  | 'expected'
  | 'actual'
  | 'attributed'
  | 'held'
  | 'reported'
  | 'already_deducted'
  | 'deducted'
  | 'last_month'
  | 'change'
  | 'due'
  | 'payable'
  | 'net_change'
  | 'reported_then'
  | 'reported_now'
  | 'deducted_so_far';

/** One item of the close. */
export interface CheckItem {
  key: string;
  group: CheckGroup;
  count: number;
  /** USD; null: no single amount says it. */
  amount_usd: string | null;
  /** USD held for it; null: nothing is held. */
  held_usd: string | null;
  /** What a person writes to answer it; null: it can't be answered, only resolved, or asks for nothing. */
  answer: 'note' | 'finding' | null;
  /** A note for these facts, or findings that cover them, are stored. */
  isAnswered: boolean;
  /** Hex SHA-256 over everything the item is about: a note answers these facts and no others. */
  facts: string;
  /** At most 20 of them. */
  rows: CheckRow[];
}

/** What an item says beside its rows. */
export interface ItemExtra {
  count?: number;
  amount_usd?: string;
  held_usd?: string;
  isAnswered?: boolean;
  answer?: 'finding';
  /** What the item is about beside its rows: other facts ask for another note. */
  about?: string;
}
/** Adds an item to a close. */
export type Add = (key: string, group: CheckGroup, rows: CheckRow[], extra?: ItemExtra) => void;

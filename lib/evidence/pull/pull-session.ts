import type { Window } from '#lib/core/window.ts';
import type { Invo } from '#lib/invo/invo.ts';
import type { Evidence } from '#lib/invo/invo-error.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { readAttributionReport, reshapeRecipients, reshapeTotals } from '#lib/invo/routes/attribution-report.ts';
import type { RecipientReport } from '../rules/evidence.ts';
import type { Totals } from '../rules/totals.ts';
import type { PullProgress } from '../writes/pull-queue.ts';

/** Recipients a page shows at most (document 2: larger limits are clamped to this). */
export const PAGE_RECIPIENTS_MAX = 100;

/** Why a call was made; stored with its response. */
export type Purpose = 'page' | 'fill' | 'control';

/** One answer of the attribution report, reshaped; pages count from 0. */
export interface Answer {
  totals: Totals;
  generated_at: string;
  recipients: RecipientReport[];
  total_count: number;
  has_more: boolean;
  page_size: number;
}

export interface ListSelection {
  offset?: number;
  limit?: number;
  recipientPlayerId?: number;
  subscriptionId?: string;
}

/** The progress of a pull, for its viewers. */
type Progress = Omit<PullProgress, 'waitingUntil'>;

export interface CollectedAnswer {
  purpose: Purpose;
  evidence: Evidence;
}

export interface SessionOptions {
  signal: AbortSignal;
  /** Invo's game_id as pinned before; null before the first report. */
  gameId: string | null;
  /** Called when an answer names a game that is not the pinned one; throws when that isn't allowed. */
  pin: (invoGameId: string) => Promise<void>;
  onProgress: (progress: Progress) => void;
}

/** The calls of one pull: counts them, collects each answer as evidence to store, and reports progress. */
export class PullSession {
  readonly #invo: Invo;
  readonly #options: Omit<SessionOptions, 'gameId'>;
  readonly #progress: Progress = { calls: 0, plannedCalls: 0, lines: 0, activity: 'planning' };
  #collected: CollectedAnswer[] = [];
  #gameId: string | null;

  constructor(invo: Invo, { gameId, ...options }: SessionOptions) {
    this.#invo = invo;
    this.#options = options;
    this.#gameId = gameId;
  }

  get calls(): number {
    return this.#progress.calls;
  }

  get lines(): number {
    return this.#progress.lines;
  }

  /** Requests a part of a window from Invo and collects the answer. Throws InvoError. */
  async ask(part: Window, selection: ListSelection, purpose: Purpose): Promise<Answer> {
    this.#options.signal.throwIfAborted();
    const { value, evidence } = await readAttributionReport(
      this.#invo,
      { start: part.start, end: part.end, ...selection },
      this.#options.signal,
    ).catch((error: unknown) => this.#countRefusal(error));
    this.#collected.push({ purpose, evidence });
    if (this.#gameId !== value.report.game_id) await this.#options.pin(value.report.game_id);
    this.#gameId = value.report.game_id;
    this.#progress.calls += 1;
    this.#progress.plannedCalls = Math.max(this.#progress.plannedCalls, this.#progress.calls);
    this.#options.onProgress({ ...this.#progress });
    const { limit } = value.pagination;
    return {
      totals: reshapeTotals(value),
      generated_at: value.report.generated_at,
      recipients: reshapeRecipients(value),
      total_count: value.pagination.total_count,
      has_more: value.pagination.has_more,
      page_size: limit !== null && limit >= 1 && limit <= PAGE_RECIPIENTS_MAX ? limit : PAGE_RECIPIENTS_MAX,
    };
  }

  /** A refusal as too large counts as a call too: it is an answer, and its count shows where to cut. */
  #countRefusal(error: unknown): never {
    if (error instanceof InvoError && error.code === 'window_too_large') this.#progress.calls += 1;
    throw error;
  }

  /** Sets the current step, which is shown to people. */
  setActivity(activity: string): void {
    this.#progress.activity = activity;
    this.#options.onProgress({ ...this.#progress });
  }

  /** Adds calls or lines that are now known to be needed. */
  expect(more: { calls?: number; lines?: number }): void {
    this.#progress.plannedCalls = Math.max(this.#progress.plannedCalls, this.#progress.calls) + (more.calls ?? 0);
    this.#progress.lines += more.lines ?? 0;
    this.#options.onProgress({ ...this.#progress });
  }

  /** Returns answers that could not be stored with their slice, so that they are stored with the failure. */
  returnAnswers(answers: CollectedAnswer[]): void {
    this.#collected = [...answers, ...this.#collected];
  }

  /** Removes and returns the answers collected since the last call: those of a slice, of the control totals, or all. */
  takeAnswers(kind: 'slice' | 'control' | 'all'): CollectedAnswer[] {
    const isWanted = ({ purpose }: CollectedAnswer): boolean => kind === 'all' || (kind === 'control') === (purpose === 'control');
    const taken = this.#collected.filter(isWanted);
    this.#collected = this.#collected.filter((answer) => !isWanted(answer));
    return taken;
  }
}

/** Why a pull can end without a snapshot, other than an Invo error. */
type PullStop =
  | 'pages_disagree'
  | 'instant_too_large'
  | 'too_many_recipients'
  | 'clocks_disagree'
  | 'not_storable'
  | 'gave_up'
  | 'another_game';

/** The evidence contradicts itself so that no snapshot can be built from it. The message is for the person who must act. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
  readonly code: PullStop;

  constructor(code: PullStop, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

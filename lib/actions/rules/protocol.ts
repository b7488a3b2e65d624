import type * as z from 'zod';
import { parseEnumOrNull } from '#lib/core/strings.ts';
import type { RouteFamily } from '#lib/invo/rules/route-codes.ts';
import type { ActionBlocker, ActionFacts, ActionResult, Reading, ReadingKind } from './action-facts.ts';
import type { AttentionReason } from './action-state.ts';
import type { ActionGroup, ActionKind, ActionUnit, Repeats } from './kinds.ts';

/** The fields of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * One exchange with Invo. `phase` is `not_sent` only when no byte can have reached Invo, `answered` when a whole JSON object came. `codes`: every
 * code the answer has, in any of its fields.
 */
export interface Observed<Answer> {
  phase: 'not_sent' | 'sent' | 'answered';
  status: number | null;
  codes: readonly string[];
  answer: Answer | null;
}

/**
 * What an answer means. `started`: Invo made what the player or a guardian must answer now. `done`: Invo states that it executed the request; `replayed`: that it had executed it before. `refused` and `not_now`:
 * this call executed nothing, for good or for the moment. `no_answer` and `open`: it may have been executed. `contradiction`: the answer is about
 * something else than the request.
 */
export const ANSWER_CLASSES = ['done', 'replayed', 'started', 'refused', 'not_now', 'open', 'no_answer', 'contradiction'] as const;
export type AnswerClass = (typeof ANSWER_CLASSES)[number];

/** Parses the stored class of an answer; null: there is none yet. Attempts stored before migration 0081 name `started` otherwise. Throws for any other text. */
export function parseAnswerClass(text: string | null): AnswerClass | null {
  return parseEnumOrNull(ANSWER_CLASSES, text === 'goes_on' ? 'started' : text);
}

/** What the next step of an action depends on. Times are milliseconds since 1970. */
export interface SendingStatus {
  now: number;
  /** Attempts after which Invo may have executed the request, this one included. */
  unanswered_count: number;
  firstSentAt: number;
  lastSentAt: number;
  /** Of the newest attempt; null: it has no answer yet. */
  lastClass: AnswerClass | null;
  /** When the worker sends the same bytes again, where it may. */
  sendAt: number;
  /** Of an approval: the end of the window that Invo reported; left out: it isn't one, or nothing was reported. */
  windowEndsAt?: number;
}

/** What a reading is judged with. */
type ReadingStatus = Omit<SendingStatus, 'sendAt'> & { facts: ActionFacts };

/** It ended, or only people can move it on. */
type EndStep = { state: 'done' | 'refused' | 'not_done' | 'lapsed' } | { state: 'attention'; reason: AttentionReason };
/** A reading decides, the next one at `readAt`; after `settleUntil` people do. */
export type ReadStep = { state: 'checking'; readAt: number; settleUntil: number };
/** Nothing was executed: a person may send the same bytes. */
type PersonSends = { state: 'approved' };
/** The worker sends the same bytes again. `waiting`: nothing was executed yet. */
export type SendStep = { state: 'waiting' | 'unknown'; sendAt: number };
/** Invo waits for the player's phone or a guardian. */
type Waits = { state: 'with_player' };
/** Time decides: what Invo may have made can't be used after `settleUntil`. */
type Expires = { state: 'unknown'; settleUntil: number };

/** The next step of a kind. That of a kind that is never sent again has no member that sends. */
type Step<R extends Repeats = Repeats> =
  | EndStep
  | ReadStep
  | (R extends 'worker' ? SendStep : never)
  | (R extends 'person' ? PersonSends | Waits : never)
  | (R extends 'never' ? Expires : never);

/** What a body is written with beside the request itself; none of it is stored. */
export interface WriteContext {
  /** Idempotency key; null: the route takes none. */
  reference: string | null;
  /** Of the player, just read; null: the body has none. */
  email: string | null;
  /** What was entered at this press, see `Protocol.enters`; null: nothing. */
  entered: string | null;
  /** The player's phone, entered beside it, see `Protocol.takesPhone`; left out: the body has none. */
  phone?: string;
  /** Who sends coins, just read; left out: the body has no sender. */
  sender?: Sending;
  /** What the phone approved with; left out: the body has none. */
  deviceCode?: string;
}

/** Who sends coins, as a start names them: in memory only. */
export interface Sending {
  name: string;
  email: string;
  /** Of a house account; null: the player's own, which is entered. */
  phone: string | null;
}

/** What people enter at a press; `_or_none`: it may be left out; `held_`: Sharebook enters it. */
export type Entering = 'card_token' | 'card_token_or_none' | 'claim_code' | 'phone' | 'held_phone';

/** What an answer passes to the screen of the requester, once, and to nothing else. */
export interface Passing {
  what: 'payment_link' | 'reward_code' | 'rewards_page' | 'claim_code';
  text: string;
}

/** What one kind of action is: pure, and the only place that knows what its answers mean. */
export interface Protocol<Request extends ActionFacts['request'], Answer extends ActionResult, R extends Repeats = Repeats> {
  kind: ActionKind;
  /** What turns it on; `of_start`: the group of the start that it is a step of. */
  group: ActionGroup | 'of_start';
  repeats: R;
  /** What its idempotency key looks like; null: its route takes none. */
  key: 'uuid' | 'prefixed_uuid' | null;
  /** In production a second person approves it whatever its amount. */
  needsSecondPerson: boolean;
  /** Whose codes an answer has. */
  family: RouteFamily;
  /** Whether attempts store the bytes of answers: only where no answer can have a secret. */
  keepsBody: boolean;
  /** Only the requester sends it: its answer passes something to them alone. */
  isForRequester: boolean;
  /** What people enter at each press: it goes to Invo and is stored nowhere. Left out: nothing. */
  enters?: Entering;
  /** Whether people enter the player's phone too; left out: they don't. */
  takesPhone?: (request: Request) => boolean;
  /** What was entered or approved by a phone isn't in the stored digest of its body, of a phone entered beside it the end alone: it is short, or comes after the request. Left out: it is. */
  isUndigested?: true;
  /** How many people record an outcome that nothing settles. */
  decidedBy: 1 | 2;
  /** What settles an unknown outcome; null: time alone. */
  reading: ReadingKind | null;
  /** Whether the player's wallet is read after it is done: it is shown and proves nothing, because others spend too. */
  movesCoins: boolean;
  unit: ActionUnit | null;
  /** The request as it is stored with the facts: no name, email, phone, code or link. */
  request: z.ZodType<Request>;
  /** What may be open only once. */
  subjectOf(request: Request, playerId: number): string;
  /** What its path names; left out: nothing. */
  inPath?: (request: Request) => string;
  /** What counts towards a limit, in `unit`; null: nothing does. */
  amountOf(request: Request): string | null;
  /** Why what was read before prevents exactly this request; null: nothing does. */
  blockerOf(request: Request, facts: Omit<ActionFacts, 'request'>): ActionBlocker | null;
  /** Whether an earlier action of the player requested the same, so that a second one needs a confirmation of its own. */
  isAlike(request: Request, earlier: Request): boolean;
  /** What must be the same when it is sent as when it was requested and approved. */
  decidingOf(facts: ActionFacts): object;
  /** The exact body, its fields in a fixed order. */
  write(request: Request, context: WriteContext): string;
  /** Reads the listed fields of an answer and nothing else. */
  pick(json: Fields): { answer: Answer; passes: Passing | null };
  /** This kind's own table of status and code. `reference`: the idempotency key, where the answer names it. */
  classify(observed: Observed<Answer>, request: Request, reference: string | null): AnswerClass;
  /** What follows from an answer. */
  next(answer: AnswerClass, status: SendingStatus): Step<R>;
  /** What a reading says about an unknown outcome. */
  judge(reading: Reading, status: ReadingStatus): 'done' | 'not_done' | 'open';
}

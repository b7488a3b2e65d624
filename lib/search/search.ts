import { findHeld, type Hit } from '#db/search/reads/find-held.ts';
import { maskEmail } from '../core/roles.ts';
import type { Deadline, GameContext } from '../games/game-context.ts';
import type { Trouble } from '../games/trouble.ts';
import { askInvo, type InvoWord } from './ask-invo.ts';
import { LOOK_UP_FAULTS, LOOK_UP_LABELS, type LookUp, parseLookUp } from './rules/parse-search.ts';

/**
 * What a look-up came to. `found`: things to go to, the text's own first; `mayBeMore` says that Invo, not asked yet, may know a period
 * of the same number, so that the only thing held is not all there is. `not_held`: nothing here, and Invo was not asked; `canAsk`
 * says whether it can be. `not_here`: Invo's own word that there is none in this game and environment. `no_answer`: Invo could not be
 * asked; what is held stands beside it. `refused`: nothing was looked for, and why.
 */
export type LookUpAnswer =
  | { kind: 'found'; hits: Hit[]; canAsk: boolean; mayBeMore: boolean }
  | { kind: 'not_held'; sentence: string; canAsk: boolean }
  | { kind: 'not_here'; sentence: string }
  | { kind: 'no_answer'; hits: Hit[]; trouble: Trouble }
  | { kind: 'refused'; sentence: string };

export interface LookUpOptions extends Deadline {
  /** `held`: asks nobody. `invo`: asks Invo too, where it can be asked. */
  asks: 'held' | 'invo';
  canSeeEmails: boolean;
}

/** Finds what a text names: in what is held, and at Invo when that is asked for. E-mails come masked for who may not read them. */
export async function lookUp(desk: GameContext, typed: string, { asks, canSeeEmails, ...patience }: LookUpOptions): Promise<LookUpAnswer> {
  const read = parseLookUp(typed);
  if (!read.ok) return { kind: 'refused', sentence: LOOK_UP_FAULTS[read.fault] };
  const wanted = read.lookUp;
  if (wanted.email !== null && !canSeeEmails)
    return {
      kind: 'refused',
      sentence: 'Your role reads e-mails masked, so it cannot look anybody up by one. Use the player id or a subscription id.',
    };
  const seen = (hits: Hit[]): Hit[] => hits.map((hit) => maskHit(hit, canSeeEmails));
  const held = await findHeld(desk.game.db, desk.game.gameId, wanted);
  const canAsk = canBeAsked(wanted);
  if (asks === 'held' || !canAsk)
    return held.length > 0
      ? { kind: 'found', hits: seen(held), canAsk, mayBeMore: wanted.number !== null && !held.some(isPeriodItself) }
      : { kind: 'not_held', sentence: missOf(wanted), canAsk };
  const word = await askInvo(desk, wanted, patience);
  if (word.kind === 'trouble') return { kind: 'no_answer', hits: seen(held), trouble: word.trouble };
  const hits = mergeHits(word.hits, held);
  return hits.length > 0
    ? { kind: 'found', hits: seen(hits), canAsk: false, mayBeMore: false }
    : { kind: 'not_here', sentence: absenceOf(wanted, word) };
}

function isPeriodItself(hit: Hit): boolean {
  return hit.kind === 'period' && hit.by === 'period';
}

/** Invo can be asked by e-mail, subscription id and period id, and by nothing else (document 2, endpoints). */
function canBeAsked({ email, number, subscriptionId }: LookUp): boolean {
  return email !== null || number !== null || subscriptionId !== null;
}

function maskHit(hit: Hit, canSeeEmails: boolean): Hit {
  return hit.kind === 'player' && hit.email !== null && !canSeeEmails ? { ...hit, email: maskEmail(hit.email) } : hit;
}

/** Invo's word stands in front of what was held about the same thing; a player keeps what only the months know. */
function mergeHits(told: Hit[], held: Hit[]): Hit[] {
  const merged = told.map((hit) => {
    const before = held.find((each) => keyOf(each) === keyOf(hit));
    return hit.kind === 'player' && before?.kind === 'player' ? { ...hit, isRecipient: before.isRecipient } : hit;
  });
  return [...merged, ...held.filter((each) => !told.some((hit) => keyOf(hit) === keyOf(each)))];
}

function keyOf(hit: Hit): string {
  if (hit.kind === 'player') return `player ${hit.playerId}`;
  if (hit.kind === 'subscription') return `subscription ${hit.subscriptionId}`;
  return hit.kind === 'period' ? `period ${hit.periodId}` : `refund ${hit.refundId}`;
}

function missOf({ email, subscriptionId, number, kinds }: LookUp): string {
  if (email !== null) return 'No player of this e-mail is in what Sharebook holds.';
  if (subscriptionId !== null) return 'This subscription is not in what Sharebook holds.';
  const names = kinds.map((kind) => LOOK_UP_LABELS[kind]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  if (number !== null) return `No ${list} of this number is in what Sharebook holds.`;
  return `This is not in what Sharebook holds as a ${list}. Invo cannot be asked by these; try the e-mail or the subscription id.`;
}

function absenceOf({ email, subscriptionId }: LookUp, word: Extract<InvoWord, { kind: 'answered' }>): string {
  if (email !== null) return 'No such player: Invo has seen no wallet and no subscription of this e-mail in this game and environment.';
  if (subscriptionId !== null) return 'Invo knows no such subscription: it is not in this game and environment.';
  if (!word.isAbsent) return 'Invo gave no answer to this.';
  return 'Invo knows no period of this number: it is not in this game and environment. Invo cannot be asked by player id; as one, it is not in what Sharebook holds. Try the e-mail or the subscription id.';
}

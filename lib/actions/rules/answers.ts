import { isOpenCode } from '#lib/invo/rules/error-codes.ts';
import { is403AboutGame, type RouteFamily, routeCode } from '#lib/invo/rules/route-codes.ts';
import type { AnswerClass, Observed } from './protocol.ts';

/** The order in which classes promise less: of two codes the one that promises least decides. */
const PROMISES_LEAST: readonly AnswerClass[] = ['contradiction', 'open', 'no_answer', 'not_now', 'refused', 'started', 'replayed', 'done'];

/**
 * What an answer means for every kind (document 2, Authentication): nothing was sent, no whole answer came, or the secret or the game isn't accepted. Null:
 * the kind decides.
 */
export function classifyForAll({ phase, status, codes, answer }: Observed<unknown>, family: RouteFamily): AnswerClass | null {
  if (phase === 'not_sent') return 'not_now';
  if (phase === 'sent' || status === null) return 'no_answer';
  if (answer === null) return 'open';
  if (status === 401 && codes.length > 0 && codes.every((code) => code.toUpperCase() === 'INVALID_GAME_SECRET')) return 'not_now';
  return status === 403 && codes.length === 0 && is403AboutGame(family) ? 'not_now' : null;
}

/**
 * The class of an answer by its codes: of those the documents name on this family, or anywhere as leaving an outcome open, the one that promises
 * least. One outside `classes` is open. Null: it has no documented code. Codes are compared without case, because the documents write them in two.
 */
export function classifyByCode(
  codes: readonly string[],
  family: RouteFamily,
  classes: Readonly<Record<string, AnswerClass>>,
): AnswerClass | null {
  const own = new Map(Object.entries(classes).map(([code, each]) => [code.toLowerCase(), each]));
  const isDocumented = (code: string): boolean => routeCode(family, code) !== null || isOpenCode(code);
  const known = codes.flatMap((code) => own.get(code.toLowerCase()) ?? (isDocumented(code) ? 'open' : []));
  return known.toSorted((a, b) => PROMISES_LEAST.indexOf(a) - PROMISES_LEAST.indexOf(b))[0] ?? null;
}

/** Statuses that refuse a request in Invo's own words, where no documented code says more. */
export function isRawRefusal(status: number | null): boolean {
  return status === 400 || status === 404 || status === 422;
}

/** A text of an answer; null for anything else, and for one too long to be an id. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 300 ? value : null;
}

/** An id of an answer, as text; null: none. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/** The ID of a saved card in an answer; null: none. */
export function cardIdOf(card: unknown): number | null {
  const id = typeof card === 'object' && card !== null && 'id' in card ? card.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

/** How deep an answer whose shape isn't documented is searched. */
const DEPTH_MAX = 5;

/** The first value of a name anywhere in an answer that `parse` accepts, the outermost first; null: none. */
export function findIn<Value>(json: unknown, name: string, parse: (value: unknown) => Value | null): Value | null {
  for (let level: unknown[] = [json], depth = 0; level.length > 0 && depth < DEPTH_MAX; depth += 1) {
    const objects = level.filter((value) => typeof value === 'object' && value !== null);
    for (const each of objects) {
      const found = Object.hasOwn(each, name) ? parse(Reflect.get(each, name)) : null;
      if (found !== null) return found;
    }
    level = objects.flatMap((each) => Object.values(each));
  }
  return null;
}

import type { z } from 'zod';
import type { Capability } from '#lib/core/roles.ts';

/** What stands between a form and the operation it is for. A gate that does not let anybody through at all does not return. */
export interface Gates<Person, Game> {
  /** A refusal where the request did not come from a page of ours. */
  checkOrigin: () => Promise<{ sentence: string } | null>;
  requirePerson: (capability: Capability) => Promise<Person>;
  requireGame: (slug: string) => Promise<Game>;
}

export type Passed<Given, Person, Game> = { kind: 'passed'; person: Person; game: Game; given: Given } | Refused;

/** It fits a form's answer as it is. */
export interface Refused {
  kind: 'refused';
  sentence: string;
}

/** Said of a form that came in pieces, or that no page of ours sends. */
export const NOT_WHOLE: Refused = {
  kind: 'refused',
  sentence: 'The form did not arrive whole, so nothing was done. Load the page again.',
};

/**
 * Leads a form through its gates, each before the next: where it came from, who sends it and whether they may, whether it is whole,
 * and which game it names. Nothing of it is read before the person is known.
 */
export async function passGates<Given extends { game: string }, Person, Game>(
  { checkOrigin, requirePerson, requireGame }: Gates<Person, Game>,
  { schema, form, capability }: { schema: z.ZodType<Given>; form: FormData; capability: Capability },
): Promise<Passed<Given, Person, Game>> {
  const foreign = await checkOrigin();
  if (foreign) return { kind: 'refused', sentence: foreign.sentence };
  const person = await requirePerson(capability);
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return NOT_WHOLE;
  return { kind: 'passed', person, game: await requireGame(parsed.data.game), given: parsed.data };
}

'use server';

import { z } from 'zod';
import { openDesk } from '#app/_server/desk.ts';
import { requireGame } from '#app/_server/game.ts';
import { checkOrigin } from '#app/_server/receive-form.ts';
import { requirePerson } from '#app/_server/session.ts';
import { type LookUpAnswer, lookUp } from '#lib/search/search.ts';
import type { LookUpReply } from './look-up-words.ts';
import { tellFound } from './tell-found.ts';

const given = z.tuple([z.string().max(40), z.string().max(2_000), z.literal(['held', 'invo'])]);

/** Looks a text up in one game. What is looked for travels in the body of the request, never in an address. */
export async function askLookUp(...args: unknown[]): Promise<LookUpReply> {
  const refusal = await checkOrigin();
  if (refusal) return { ...NOTHING, sentence: refusal.sentence, isTrouble: true };
  const person = await requirePerson('figures.read');
  const asked = given.safeParse(args);
  if (!asked.success) return { ...NOTHING, sentence: 'This is longer than any id of Invo.', isTrouble: true };
  const [slug, text, asks] = asked.data;
  const game = await requireGame(slug);
  const answer = await lookUp(await openDesk(game), text, { asks, canSeeEmails: person.may('emails.read') });
  return replyOf(slug, answer);
}

const NOTHING: LookUpReply = {
  found: [],
  sentence: null,
  isTrouble: false,
  canAsk: false,
  mayBeMore: false,
  errorId: null,
  isNotHere: false,
};

function replyOf(slug: string, answer: LookUpAnswer): LookUpReply {
  switch (answer.kind) {
    case 'found':
      return { ...NOTHING, found: answer.hits.map((hit) => tellFound(slug, hit)), canAsk: answer.canAsk, mayBeMore: answer.mayBeMore };
    case 'not_held':
      return { ...NOTHING, sentence: answer.sentence, canAsk: answer.canAsk };
    case 'not_here':
      return { ...NOTHING, sentence: answer.sentence, isNotHere: true };
    case 'no_answer':
      return {
        ...NOTHING,
        found: answer.hits.map((hit) => tellFound(slug, hit)),
        sentence: `${answer.trouble.sentence}${answer.hits.length > 0 ? ' This is what is held:' : ' Nothing of it is held either.'}`,
        isTrouble: true,
        errorId: answer.trouble.errorId,
        canAsk: true,
      };
    case 'refused':
      return { ...NOTHING, sentence: answer.sentence, isTrouble: true };
  }
}

'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { formAction } from '#app/_server/form-action.ts';
import { endSession } from '#app/_server/sign-in-cookies.ts';
import { may } from '#lib/core/roles.ts';
import type { Hit } from '#lib/search/reads.ts';
import { search } from '#lib/search/search.ts';
import { matchOf } from './search/search-match.ts';
import { EMPTY_REPLY, type SearchMatch, type SearchReply } from './search/search-reply.ts';

/** Ends the session in the browser and in the database, and opens the sign-in page. */
export const signOut = formAction({ schema: z.object({}), who: 'anyone' }, async (): Promise<void> => {
  await endSession();
  redirect('/sign-in');
});

const shape = z
  .tuple([z.string().max(40), z.string().max(2_000), z.literal(['local', 'invo'])])
  .transform(([game, text, scope]) => ({ game, text, scope }));

/** Searches one game. The text travels in the body of the request, never in an address. */
export const searchAction = formAction(
  { schema: shape, who: 'figures.read', game: true },
  async ({ form, actor, context }): Promise<SearchReply> => {
    const [canSeeEmails, canReadDesk] = [may(actor.roles, 'emails.read'), may(actor.roles, 'desk.read')];
    const rights = { canSeeEmails, canReadDesk, canReadPayments: may(actor.roles, 'payees.read') };
    const result = await search({ ...context, lookUpBy: actor.id }, form.text, { scope: form.scope, ...rights });
    const matchesOf = (hits: Hit[]): SearchMatch[] => hits.map((hit) => matchOf(form.game, hit, canReadDesk));
    switch (result.kind) {
      case 'found':
        return { ...EMPTY_REPLY, matches: matchesOf(result.hits), canAskInvo: result.canAskInvo, mayBeMore: result.mayBeMore };
      case 'no_local_match':
        return { ...EMPTY_REPLY, sentence: result.sentence, canAskInvo: result.canAskInvo };
      case 'not_found':
        return { ...EMPTY_REPLY, sentence: result.sentence, isNotFound: true };
      case 'unavailable':
        return {
          ...EMPTY_REPLY,
          matches: matchesOf(result.hits),
          sentence: `${result.error.sentence} ${result.hits.length > 0 ? 'Local matches:' : 'No local match.'}`,
          isError: true,
          errorId: result.error.errorId,
          canAskInvo: true,
        };
      case 'refused':
        return { ...EMPTY_REPLY, sentence: result.sentence, isError: true };
    }
  },
);

import * as z from 'zod';
import { parsePassedUrl } from '#lib/core/game.ts';
import { classifyByCode, classifyForAll, textOf } from '../answers.ts';
import type { AnswerClass, Passing, Protocol } from '../protocol.ts';
import { lapsingStep } from '../settling-times.ts';

/** `link`: of this request only, so that each opens a page of its own. */
const request = z.object({ link: z.uuid() });

type PageLink = { expires_at: string | null; has_link: boolean };

const CODES = { SDK_TOKEN_MALFORMED: 'not_now' } as const satisfies Record<string, AnswerClass>;

/**
 * Opens Invo's page of a player's rewards, in games of the sandbox only: a press there redeems outside Sharebook. Each call makes another personal link
 * (document 1, Rewards page link), which goes to the requester's screen and expires by itself.
 */
export const rewardsPage: Protocol<z.infer<typeof request>, PageLink, 'never'> = {
  kind: 'rewards_page',
  group: 'sandbox',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  family: 'loyalty_player',
  keepsBody: false,
  isForRequester: true,
  decidedBy: 1,
  reading: null,
  movesCoins: false,
  unit: null,
  request,
  subjectOf: ({ link }) => `rewards_page ${link}`,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: () => '',
  pick: ({ url, expires_at }) => {
    const passes: Passing | null = typeof url === 'string' && parsePassedUrl(url) !== null ? { what: 'rewards_page', text: url } : null;
    return { answer: { expires_at: textOf(expires_at), has_link: passes !== null }, passes };
  },
  classify: (observed) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'loyalty_player');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    if (status < 300) return answer.has_link && codes.length === 0 ? 'done' : 'open';
    const byCode = classifyByCode(codes, 'loyalty_player', CODES);
    if (status === 401 || status === 429) return byCode === null || byCode === 'not_now' ? 'not_now' : 'open';
    return status >= 400 && status < 500 && codes.length > 0 && byCode === null ? 'refused' : 'open';
  },
  next: lapsingStep,
  judge: () => 'open',
};

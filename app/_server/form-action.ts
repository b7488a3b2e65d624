import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { isLoopback } from '#lib/core/game.ts';
import { parseNumericId, SUBSCRIPTION_ID } from '#lib/core/ids.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import type { FormResult } from '../_ui/forms/form-result.tsx';
import { type Game, requireGame } from './game.ts';
import { config } from './server-context.ts';
import { findSession, forgetSession, requirePerson, requireSelf } from './session.ts';

/** What an action checks before it runs. */
export type Asks = (
  | {
      /** A person with this right; `self`: about their own second factor, which they may have to set up first. */
      who: Capability | 'self';
      /** The password, and a code where the person has a second factor: `freshPassword` or `passwordEachTime`. */
      password?: PasswordGate;
    }
  | { /** Also who isn't signed in. */ who: 'anyone'; password?: never }
) &
  ({ schema: z.ZodType; game?: never } | { schema: z.ZodType<{ game: string }> /** The form names one of our games. */; game: true });

/** What an action gets: the fields of its form, who sent it, and the game. */
type Received<A extends Asks> = { form: z.output<A['schema']> } & (A['who'] extends 'anyone'
  ? unknown
  : { actor: Actor /** Of the session, as it is after the password was given. */; tokenDigest: string }) &
  (A['game'] extends true ? { game: Game } : unknown);

/** Fits every form's result as it is. */
export type FormRefusal = Extract<FormResult<never>, { kind: 'refused' }>;

/** The form requests the password, and a code where the person has a second factor, and everything else that was entered stays. */
type PasswordRequest = Extract<FormResult<never>, { kind: 'password' }>;

/** The digest of the session's token once a person has proved who they are, by what was typed; or what the form must ask for. */
export type PasswordGate = (actor: Actor, typed: unknown) => Promise<{ kind: 'proved'; tokenDigest: string } | PasswordRequest>;

type Answer<A extends Asks, Result> = [Result] extends [void]
  ? void
  : Result | FormRefusal | (A['password'] extends PasswordGate ? PasswordRequest : never);

/** An action of a form: the last thing sent is the form, or everything sent is the input. */
export type FormAction<Given> = ((...sent: unknown[]) => Promise<Given>) & { readonly asks: Pick<Asks, 'who' | 'password'> };

/** The checks before an action runs. A request that isn't allowed doesn't return. */
export interface Gates {
  /** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
  checkOrigin(): Promise<FormRefusal | null>;
  requireActor(who: Capability | 'self'): Promise<{ actor: Actor; tokenDigest: string }>;
  requireGame(slug: string): Promise<Game>;
  /** The action has run. */
  end(): void;
}

/** For input that arrived incomplete, or that no page of Sharebook sends. */
export const INCOMPLETE_FORM: FormRefusal = {
  kind: 'refused',
  sentence: 'The form arrived incomplete. Nothing was changed. Reload the page and try again.',
};

/**
 * Makes the one wrapper of every action from its gates, which are passed in this order: origin, person and right, form, game, password. Nothing of the
 * input is read before the person is known.
 */
export function wrapActions(gates: Gates) {
  return function formAction<const A extends Asks, Result>(
    asks: A,
    run: (received: Received<A>) => Promise<Result>,
    // False: the action refuses it whatever the password, so it isn't requested.
    canSucceed: (received: Received<A>) => Promise<boolean> = async () => true,
  ): FormAction<Answer<A, Result>> {
    async function action(...sent: unknown[]): Promise<unknown> {
      const refusal = await gates.checkOrigin();
      if (refusal) return refusal;
      const by = asks.who === 'anyone' ? null : await gates.requireActor(asks.who);
      const last = sent.at(-1);
      const input = last instanceof FormData ? Object.fromEntries(last) : sent;
      const parsed = asks.schema.safeParse(input);
      if (!parsed.success) return INCOMPLETE_FORM;
      const about = asks.game === true ? { game: await gates.requireGame((parsed.data as { game: string }).game) } : {};
      const received = receivedOf<A>({ form: parsed.data, ...by, ...about });
      if (asks.password === undefined || by === null || !(await canSucceed(received))) return await run(received);
      const proof = await asks.password(by.actor, input);
      return proof.kind === 'proved' ? await run({ ...received, tokenDigest: proof.tokenDigest }) : proof;
    }
    const wrapped = async (...sent: unknown[]): Promise<unknown> => await action(...sent).finally(gates.end);
    return Object.assign(wrapped, { asks }) as FormAction<Answer<A, Result>>;
  };
}

/** What the gates returned is what the action needs: `wrapActions` calls exactly those gates. */
function receivedOf<A extends Asks>(given: object): Received<A> {
  return given as Received<A>;
}

/** Makes an action, which first checks who sends its form. A file of actions exports nothing else. */
export const formAction = wrapActions({
  checkOrigin,
  requireActor: async (who) => {
    const { id, email, roles } = who === 'self' ? await requireSelf() : await requirePerson(who);
    const { tokenDigest } = (await findSession()) ?? redirect('/sign-in');
    return { actor: { id, email, roles }, tokenDigest };
  },
  requireGame,
  end: forgetSession,
});

/** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
export async function checkOrigin(): Promise<FormRefusal | null> {
  if (isOwnOrigin(await headers(), config().origin)) return null;
  return {
    kind: 'refused',
    sentence: `This request didn’t come from ${config().origin}. Nothing was changed. Open Sharebook there and try again.`,
  };
}

/**
 * Whether a request that changes something came from a page of this Sharebook, by headers that browsers send and pages can't forge.
 * Unlike Next, it refuses a missing Origin and ignores a forwarded host. Under a loopback public origin, every loopback name
 * with the same scheme and port counts as the same origin.
 */
export function isOwnOrigin(headers: { get(name: string): string | null }, publicOrigin: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const given = URL.parse(headers.get('origin') ?? '');
  const own = new URL(publicOrigin);
  if (given === null || given.origin !== headers.get('origin')) return false;
  if (given.origin === own.origin) return true;
  const areLoopback = isLoopback(given.hostname) && isLoopback(own.hostname);
  return areLoopback && given.protocol === own.protocol && given.port === own.port;
}

/** The game a form is about, as its address names it. */
export const slugShape = z.string().max(40);

/** One of our numbers or of Invo's, as a form carries it. */
export const idShape = z
  .string()
  .refine((text) => parseNumericId(text) !== null)
  .transform(Number);

/** A subscription id, fit for the path of a call. */
export const subscriptionIdShape = z.string().regex(SUBSCRIPTION_ID);

/** A version of what the page showed, compared with the stored one. */
export const versionShape = z.string().max(200);

/** A digest of what stood on the page when the form was drawn. */
export const digestShape = z.string().regex(/^[0-9a-f]{64}$/);

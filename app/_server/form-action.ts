import 'server-only';
import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { isLoopback } from '#lib/core/game.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import { parseNumericId, parseOrdinal, SUBSCRIPTION_ID } from '#lib/core/typed-input.ts';
import type { GameContext } from '#lib/games/open-game.ts';
import type { FormResult, PasswordRequest } from '../_ui/forms/form.tsx';
import { openGameContext, requireGame } from './game.ts';
import { config } from './server-context.ts';
import { findSession, forgetSession, requirePerson, requireSelf } from './session.ts';

/** What an action checks before it runs, and when the page is drawn again after it. */
export type Asks = (
  | {
      /** A person with this right; `self`: about their own second factor, which they may have to set up first. */
      who: Capability | 'self';
      /** The password, and a code where the person has a second factor: `freshPassword` or `passwordEachTime`. */
      password?: PasswordGate;
      /** Absent: the page is drawn again after every result but an invalid entry. */
      refreshes?: 'done' | 'never';
    }
  | { /** Also who isn't signed in. The page is not drawn again. */ who: 'anyone'; password?: never; refreshes?: never }
) &
  ({ schema: z.ZodType; game?: never } | { schema: z.ZodType<{ game: string }> /** The form names one of our games. */; game: true });

/** What an action gets: the fields of its form, who sent it, and the opened game; `context` for requests to Invo. */
type Received<A extends Asks> = { form: z.output<A['schema']> } & (A['who'] extends 'anyone'
  ? unknown
  : { actor: Actor /** Of the session, as it is after the password was given. */; tokenDigest: string }) &
  (A['game'] extends true ? { game: GameContext['game']; context: GameContext } : unknown);

/** Fits every form's result as it is. */
export type FormRefusal = Extract<FormResult<never>, { kind: 'refused' }>;

/** The digest of the session's token once a person has proved who they are, by what was typed; or what the form must ask for. */
export type PasswordGate = (actor: Actor, typed: unknown) => Promise<{ kind: 'proved'; tokenDigest: string } | PasswordRequest>;

type Answer<A extends Asks, Result> = [Result] extends [void]
  ? void
  : Result | FormRefusal | (A['password'] extends PasswordGate ? PasswordRequest : never);

/** What an action is sent: the input itself where its schema is a tuple, else a form, after the state that React puts before it. */
type Sent<Schema extends z.ZodType> = z.input<Schema> extends readonly unknown[] ? z.input<Schema> : [...before: unknown[], form: FormData];

/** An action of a form, or one that a component calls with its input. */
export type FormAction<Schema extends z.ZodType, Given> = ((...sent: Sent<Schema>) => Promise<Given>) & {
  readonly asks: Pick<Asks, 'who' | 'password' | 'schema'>;
};

/** The checks before an action runs. A request that isn't allowed doesn't return. */
export interface Gates {
  /** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
  checkOrigin(): Promise<FormRefusal | null>;
  requireActor(who: Capability | 'self'): Promise<{ actor: Actor; tokenDigest: string }>;
  requireGame(slug: string): Promise<GameContext>;
  /** The result comes with the page as it is now. */
  refresh(): void;
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
  ): FormAction<A['schema'], Answer<A, Result>> {
    async function action(...sent: unknown[]): Promise<unknown> {
      const refusal = await gates.checkOrigin();
      if (refusal) return refusal;
      const by = asks.who === 'anyone' ? null : await gates.requireActor(asks.who);
      const last = sent.at(-1);
      const input = last instanceof FormData ? Object.fromEntries(last) : sent;
      const parsed = asks.schema.safeParse(input);
      if (!parsed.success) return INCOMPLETE_FORM;
      const context = asks.game === true ? await gates.requireGame((parsed.data as { game: string }).game) : null;
      const received = receivedOf<A>({ form: parsed.data, ...by, ...(context && { context, game: context.game }) });
      if (asks.password === undefined || by === null || !(await canSucceed(received))) return await runAndRefresh(received);
      const proof = await asks.password(by.actor, input);
      return proof.kind === 'proved' ? await runAndRefresh({ ...received, tokenDigest: proof.tokenDigest }) : proof;
    }
    async function runAndRefresh(received: Received<A>): Promise<Result> {
      const result = await run(received);
      if (mustRefresh(asks, result)) gates.refresh();
      return result;
    }
    const wrapped = async (...sent: unknown[]): Promise<unknown> => await action(...sent).finally(gates.end);
    return Object.assign(wrapped, { asks }) as FormAction<A['schema'], Answer<A, Result>>;
  };
}

/** What the gates returned is what the action needs: `wrapActions` calls exactly those gates. */
function receivedOf<A extends Asks>(given: object): Received<A> {
  return given as Received<A>;
}

/** Rows and the like, which aren't the result of a form, change nothing. */
function mustRefresh({ who, refreshes }: Asks, result: unknown): boolean {
  if (who === 'anyone' || refreshes === 'never' || typeof result !== 'object' || result === null || !('kind' in result)) return false;
  return refreshes === 'done' ? result.kind === 'done' : result.kind !== 'invalid';
}

/** Makes an action, which first checks who sends its form. A file of actions exports nothing else. */
export const formAction = wrapActions({
  checkOrigin,
  requireActor: async (who) => {
    const { id, email, roles } = who === 'self' ? await requireSelf() : await requirePerson(who);
    const { tokenDigest } = (await findSession()) ?? redirect('/sign-in');
    return { actor: { id, email, roles }, tokenDigest };
  },
  requireGame: async (slug) => openGameContext(await requireGame(slug)),
  refresh: () => revalidatePath('/', 'layout'),
  end: forgetSession,
});

/** The result of a form by the answer of its verb: the sentence `done`, or that of the reason why not. */
export function resultOf<Reason extends string>(
  answer: { ok: true } | { ok: false; reason: Reason },
  done: string,
  refusals: Readonly<Record<NoInfer<Reason>, string>>,
): FormResult {
  return answer.ok ? { kind: 'done', sentence: done } : { kind: 'refused', sentence: refusals[answer.reason] };
}

/** Ends an action by opening a page, drawn as it is now: a redirect to the current page doesn't draw its layout again. */
export function openPage(address: string): never {
  revalidatePath('/', 'layout');
  redirect(address);
}

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

/** An id, of ours or Invo's, as a form carries it. Its columns are `bigint`. */
export const idShape = z
  .string()
  .refine((text) => parseNumericId(text) !== null)
  .transform(Number);

/** A number of ours that counts from 1, as a form carries it. Its columns are `integer`. */
export const ordinalShape = z
  .string()
  .refine((text) => parseOrdinal(text) !== null)
  .transform(Number);

/** A subscription id, fit for the path of a call. */
export const subscriptionIdShape = z.string().regex(SUBSCRIPTION_ID);

/** Entries of a form that have one shape, by their names. Guarantee of the cast: each name has it. */
export function shapesOf<Name extends string, Shape extends z.ZodType>(names: readonly Name[], shape: Shape): Record<Name, Shape> {
  return Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>;
}

/** A version of what the page showed, compared with the stored one. */
export const versionShape = z.string().max(200);

/** A digest of what stood on the page when the form was drawn. */
export const digestShape = z.string().regex(/^[0-9a-f]{64}$/);

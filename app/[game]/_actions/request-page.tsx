import { randomUUID } from 'node:crypto';
import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { ActionPauseNotice } from '#app/_pauses/action-pauses.tsx';
import { type Game, openLookUp } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import type { HiddenValues } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { type ActionTarget, digestShown, type FactsRead, readActionFacts } from '#lib/actions/read-action-facts.ts';
import { findActionControls, type MilestoneName } from '#lib/actions/reads/action-controls.ts';
import { type ActionAbout, listActionsAbout } from '#lib/actions/reads/list-actions.ts';
import { listHouseAccounts } from '#lib/actions/reads/list-house-accounts.ts';
import { findPersonLimits } from '#lib/actions/reads/person-limits.ts';
import { findSenderRoom } from '#lib/actions/reads/sender-counts.ts';
import type { ActionFacts } from '#lib/actions/rules/action-facts.ts';
import type { ReasonCode } from '#lib/actions/rules/action-state.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import { groupOf, limitedBy, protocolOf } from '#lib/actions/rules/protocols.ts';
import { actionStateText } from '#lib/actions/state-text.ts';
import { BLOCKER_TEXT, formatSenderLimit, GROUP_TEXT, KIND_TEXT } from '#lib/actions/text.ts';
import { formatActionTitle } from '#lib/actions/title-text.ts';
import { dayLeftOf, limitOf } from '#lib/approvals/rules/approval.ts';
import styles from './actions.module.css';
import { entryOf, type HouseChoice } from './entry-text.ts';
import { FactsCard } from './facts-card.tsx';
import { RequestForm, type RequestFormProps } from './request-form.tsx';

/** What one kind’s form has of its own. */
export interface RequestPageText extends Pick<RequestFormProps, 'entry'> {
  /** For whom, as the end of the button; left out: “for Asa Venn”. */
  whom?: (name: string) => string;
  /** Of the form on a page about something else; left out: the page has it. */
  title?: string | ((facts: Omit<ActionFacts, 'request'>) => string);
  press: string | ((facts: Omit<ActionFacts, 'request'>) => string);
  reason: ReasonCode;
  /** What will happen, by what was read. */
  consequences: (facts: ActionFacts | Omit<ActionFacts, 'request'>, name: string) => string[];
}

interface RequestPageProps {
  game: Game;
  person: Person;
  target: ActionTarget;
  text: RequestPageText;
  /** What it changes, as Invo reports it now, beside the form. */
  children?: ReactNode;
}

/** The form of a desk action with the facts it rests on; or why there is none: it is turned off, something prevents it, or Invo can’t be read. */
export async function RequestPage({ game, person, target, text, children }: RequestPageProps): Promise<ReactElement> {
  const { switches, pause, milestones } = await findActionControls(db(), game);
  const { unit, needsSecondPerson, repeats } = protocolOf(target.kind);
  const group = groupOf(target.kind, {});
  if (switches.some((each) => each.group === group && !each.isOn))
    return (
      <Notice voice="wait" title="These actions are turned off for this game">
        {group !== 'sandbox' && GROUP_TEXT[group].label} can be turned on by an admin in{' '}
        <Link href={`/settings/desk-actions/${game.slug}`}>Settings</Link>.
      </Notice>
    );
  // The pages of a player say above their tabs that all are paused.
  if (pause !== null && 'playerId' in target) return <p>{formatOpensAgain(target.kind)} once desk actions resume.</p>;
  if (pause !== null) return <ActionPauseNotice game={game} person={person} pause={pause} />;
  const read = await readActionFacts(openLookUp(game, person), target, { actor: person });
  if (read.kind !== 'facts') return <NoForm slug={game.slug} read={read} target={target} />;
  const about = 'orderId' in target ? { orderId: target.orderId } : { playerId: read.playerId, kind: target.kind };
  const earlier = await listActionsAbout(db(), game.gameId, about);
  const name = formatPlayer(read.name, read.playerId);
  const open = earlier.find((action) => isAboutSame(action, target));
  const ofFacts = (words: RequestPageText['press']): string => (typeof words === 'string' ? words : words(read.facts));
  if (open !== undefined) return <OpenInstead slug={game.slug} action={open} />;
  return (
    <div className={styles.columns}>
      <div className={styles.right}>
        <FactsCard slug={game.slug} playerId={read.playerId} name={name} facts={read.facts} />
      </div>
      <div className={clsx(styles.stack, styles.left, styles.whole)}>
        {text.title !== undefined && <h2>{ofFacts(text.title)}</h2>}
        <RequestForm
          slug={game.slug}
          about={{
            game: game.slug,
            draftId: randomUUID(),
            shown: digestShown(read.facts, protocolOf(target.kind).decidingOf),
            ...withoutNulls(target),
          }}
          entry={entryOf(text.entry, read.facts)}
          press={ofFacts(text.press)}
          whom={text.whom?.(name) ?? `for ${name}`}
          player={name}
          pending={KIND_TEXT[target.kind].pending}
          consequences={[...text.consequences(read.facts, name), ...formatEarlierLink(earlier)]}
          needsTicket={game.environment === 'production'}
          limits={await findLimits(game, person, target)}
          closed={target.kind === 'transfer_start' ? (await findRoom(game, false, read.playerId)).closed : null}
          unit={unit}
          needsApproval={needsSecondPerson && game.environment === 'production'}
          isSentByWorker={repeats === 'worker'}
          waitsForPhone={target.kind === 'receipt'}
          milestones={milestones.map(choiceOf)}
          houses={text.entry === 'send' ? await listHouses(game, read.playerId) : []}
          coins={onlyCurrencyOf(read.facts)}
          reason={text.reason}
        />
      </div>
      <div className={clsx(styles.stack, styles.right)}>
        {children}
        <EarlierCard slug={game.slug} actions={earlier} coins={onlyCurrencyOf(read.facts)} />
      </div>
    </div>
  );
}

/** Of what only one action of a kind is open at a time, where the page tells: left out, what is typed tells. Empty: of the player. */
const OPEN_ONCE_PER: Readonly<Partial<Record<ActionKind, string>>> = {
  payment_confirm: ' of an order',
  redeem: ' of a reward',
  item_sale: '',
  transfer_start: '',
  purchase: '',
  card_setup: '',
};

/** Whether an open action is about the same, whatever is typed: a second one is refused. */
function isAboutSame({ kind, isOpen, request }: ActionAbout, target: ActionTarget): boolean {
  if (!isOpen || kind !== target.kind || OPEN_ONCE_PER[kind] === undefined) return false;
  return target.kind !== 'redeem' || request['vault_entry_id'] === target.vaultEntryId;
}

/** Instead of a form whose request would be refused, because one about the same is open. The pages of a player show above what it waits for. */
function OpenInstead({ slug, action: { actionId, kind } }: { slug: string; action: ActionAbout }): ReactElement {
  return (
    <p className={styles.sentence}>
      Only one {KIND_TEXT[kind].label.toLowerCase()}
      {OPEN_ONCE_PER[kind]} is open at a time. {formatOpensAgain(kind)} once{' '}
      <Link href={`/${slug}/actions/${actionId}`}>action {actionId}</Link> has ended.
    </p>
  );
}

function formatOpensAgain(kind: ActionKind): string {
  return `The form “${KIND_TEXT[kind].label}” opens again`;
}

/** The accounts that coins can be sent from, each with what is left to it. */
async function listHouses(game: Game, receiverId: number): Promise<RequestFormProps['houses']> {
  const accounts = (await listHouseAccounts(db(), game.gameId)).filter(({ confirmedAt }) => confirmedAt !== null);
  return await Promise.all(
    accounts.map(async ({ playerId, label }) => {
      const room = await findRoom(game, true, playerId);
      return { playerId, label, ...room, ...(playerId === receiverId ? { closed: BLOCKER_TEXT.house_receives } : {}) };
    }),
  );
}

/** What is left to a sender of Invo’s limits: why nothing, until when, and the coins of a day where they aren’t whole. */
async function findRoom({ gameId }: Game, isSend: boolean, senderId: number): Promise<Pick<HouseChoice, 'closed' | 'coinsLeft'>> {
  const { limit, coins_left: coinsLeft } = await findSenderRoom(db(), gameId, isSend, senderId);
  if (limit === null) return { closed: null, coinsLeft };
  const until = new Date(Date.parse(now()) + limit.wait_ms).toISOString();
  return { closed: formatSenderLimit(limit.blocker, formatUtc(until)), coinsLeft: null };
}

/** What a form sends along of its target. */
function withoutNulls(target: ActionTarget): HiddenValues {
  const given = Object.entries(target).filter((pair): pair is [string, string | number] => pair[1] !== null);
  return Object.fromEntries(given);
}

function choiceOf({ eventType, name, label }: MilestoneName): RequestFormProps['milestones'][number] {
  return { value: `${eventType} ${name}`, label: `${label} (${name})` };
}

/** What the player’s only currency is called. */
function onlyCurrencyOf({ wallet }: Omit<ActionFacts, 'request'>): string | null {
  const [only, ...others] = wallet?.balances ?? [];
  return others.length === 0 ? (only?.currency_name ?? null) : null;
}

/** Up to which amount the person needs no second one now, and what their last 24 hours leave; null: the kind has no amount, or the game no limits. */
async function findLimits(game: Game, person: Person, { kind }: ActionTarget): Promise<RequestFormProps['limits']> {
  const what = limitedBy(kind);
  if (what === null || game.environment === 'sandbox') return null;
  const limits = await findPersonLimits(db(), { gameId: game.gameId, personId: person.id, what });
  return { one: limitOf(what, person.roles, limits.limits) ?? '0.00', dayLeft: dayLeftOf(what, person.roles, limits) };
}

function formatEarlierLink(earlier: ActionAbout[]): string[] {
  const open = earlier.find(({ kind, expiresAt }) => kind === 'payment_link' && expiresAt !== null);
  return open?.expiresAt ? [`An earlier link may be open until ${formatUtc(open.expiresAt)}. Both can be paid.`] : [];
}

function NoForm({ slug, read, target }: { slug: string; read: Exclude<FactsRead, { kind: 'facts' }>; target: ActionTarget }): ReactElement {
  if (read.kind === 'no_answer')
    return (
      <Notice
        voice="bad"
        title="Invo couldn’t be read, so nothing can be requested"
        actions={
          <>
            <RefreshButton word="Try again" />
            {read.error.errorId !== null && <CopyButton text={read.error.errorId} what="reference" />}
          </>
        }
      >
        {read.error.sentence}
      </Notice>
    );
  const [back, what] =
    'orderId' in target
      ? [`orders/${encodeURIComponent(target.orderId)}`, 'order']
      : 'transactionId' in target
        ? [`transfers/${encodeURIComponent(target.transactionId)}`, 'transfer']
        : [`players/${target.playerId}`, 'player'];
  return (
    <Notice voice="bad" title="This can’t be requested now">
      {BLOCKER_TEXT[read.blocker]} Nothing was requested. <Link href={`/${slug}/${back}`}>View the {what}</Link>
    </Notice>
  );
}

/** Actions about the same that are open or of 30 days. */
function EarlierCard({ slug, actions, coins }: { slug: string; actions: ActionAbout[]; coins: string | null }): ReactElement | null {
  if (actions.length === 0) return null;
  return (
    <Card title="Actions of the last 30 days">
      <ul className={styles.list}>
        {actions.map(({ actionId, kind, state, waiting, amount, request, requestedBy, requestedAt }) => {
          const { tone, label } = actionStateText(kind, state, waiting);
          return (
            <li key={actionId}>
              <Link href={`/${slug}/actions/${actionId}`}>{formatActionTitle({ kind, amount, request, coins })}</Link>{' '}
              <Status tone={tone} word={label} />
              <p className={styles.when}>
                {requestedBy}, {formatUtc(requestedAt)}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

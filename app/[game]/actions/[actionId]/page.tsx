import { randomUUID } from 'node:crypto';
import { clsx } from 'clsx';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ComponentProps, type ReactElement, Suspense } from 'react';
import { ActionPauseNotice } from '#app/_pauses/action-pauses.tsx';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import { FactsCard } from '#app/[game]/_actions/facts-card.tsx';
import { NewPhonePanel } from '#app/[game]/_actions/new-phone-panel.tsx';
import { OwnerPanel } from '#app/[game]/_actions/owner-panel.tsx';
import { PhonePanel } from '#app/[game]/_actions/phone-panel.tsx';
import { PressPanel } from '#app/[game]/_actions/press-panel.tsx';
import { StartStrip } from '#app/[game]/_actions/start-strip.tsx';
import { UnlockCards } from '#app/[game]/_actions/unlock-cards.tsx';
import { formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { findActionControls } from '#lib/actions/reads/action-controls.ts';
import { type ActionDetails, findAction, findDecline } from '#lib/actions/reads/find-action.ts';
import { findGrant, findHeldPhone, type Grant, type HeldPhone } from '#lib/actions/reads/find-grant.ts';
import { listSteps } from '#lib/actions/reads/open-actions.ts';
import { isEnded } from '#lib/actions/rules/action-state.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import { approvalOf, groupOf, protocolOf } from '#lib/actions/rules/protocols.ts';
import { answerIn } from '#lib/actions/rules/seen-grants.ts';
import { mayHaveMoved, mayTextOwner } from '#lib/actions/rules/start-steps.ts';
import { actionStateText, isCardAtBank } from '#lib/actions/state-text.ts';
import { formatActionAmount, GROUP_TEXT, KIND_TEXT } from '#lib/actions/text.ts';
import { coinsOf, formatActionTitle } from '#lib/actions/title-text.ts';
import { maskEmailsIn, parseNumericId } from '#lib/core/typed-input.ts';
import { DecisionPanel } from './decision-panel.tsx';
import { Attempts, Readings, RequestCard, ResultCard } from './history.tsx';
import { isOwnCard, StateLines } from './state-lines.tsx';

export const metadata: Metadata = { title: 'Desk action' };

export default async function ActionPage({ params }: { params: Promise<{ game: string; actionId: string }> }): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, actionId: text } = await params;
  const game = await requireGame(slug);
  const actionId = parseNumericId(text) ?? notFound();
  const [found, { pause, switches }] = await Promise.all([findAction(db(), game.gameId, actionId), findActionControls(db(), game)]);
  const stored = found ?? notFound();
  const { kind, state } = stored;
  const start = approvalOf(kind) !== null || kind === 'receipt' ? await findStart(game.gameId, actionId) : null;
  const action = masked(withPhoneOf(stored, start), person.may('emails.read'));
  const { tone, label, sentence } = shownState(action);
  const group = groupOf(kind, action.facts.request);
  const isOff = switches.some((each) => each.group === group && !each.isOn);
  const isSending = pause === null && !isOff;
  const declined = state === 'rejected' || state === 'withdrawn' ? await findDecline(db(), game.gameId, actionId) : null;
  const mask = person.may('emails.read') ? (text: string): string => text : maskEmailsIn;
  const decline = declined === null ? null : { ...declined, name: mask(declined.name), why: mask(declined.why) };
  return (
    <>
      <PageHead title={titleOf(action)} actions={<LinkButton href={`/${slug}/actions`}>All actions</LinkButton>}>
        Action {actionId}, requested by {action.requestedBy.name} on <Instant at={action.requestedAt} timeZone={game.timeZone} />
        {action.approvedBy !== null && `, approved by ${action.approvedBy.name}`}
      </PageHead>
      <ActionPauseNotice game={game} person={person} pause={pause} />
      <RefreshWhile isBusy={action.continuesAt !== null || state === 'awaiting_approval'} every_ms={state === 'sending' ? 1_000 : 4_000} />
      <div className={styles.columns}>
        <div className={styles.left}>
          <Card title="State" aside={<Status tone={tone} word={label} />}>
            <div className={styles.stack}>
              <StateLines
                slug={slug}
                timeZone={game.timeZone}
                action={action}
                person={person}
                sentence={sentence}
                decline={decline}
                blocker={{ isPaused: pause !== null, isOff }}
              />
              {isOff && !isEnded(state) && group !== 'sandbox' && (
                <p className={styles.sentence}>
                  {GROUP_TEXT[group].label} are turned off for this game, so nothing more of it is sent. What was sent is still tracked. An
                  admin turns them on in <Link href={`/settings/desk-actions/${slug}`}>Settings</Link>.
                </p>
              )}
              {kind === 'phone_enrolment' && state === 'awaiting_approval' && person.may('actions.request') && (
                <NewPhonePanel slug={slug} startId={Number(action.facts.request['start_id'])} />
              )}
              {start !== null ? (
                <StartSteps game={game} action={action} start={start} person={person} isSending={isSending} />
              ) : (
                <PressPanel
                  slug={slug}
                  actionId={actionId}
                  button={pressOf(action, person.id, person.may('actions.request') && isSending)}
                />
              )}
            </div>
          </Card>
        </div>
        <div className={clsx(styles.stack, styles.right, styles.whole)}>
          <RequestCard slug={slug} action={action} />
          <FactsCard
            slug={slug}
            playerId={action.playerId}
            name={formatPlayer(action.playerName, action.playerId)}
            facts={action.facts}
            isBefore
          />
        </div>
        <div className={clsx(styles.stack, styles.left)}>
          <Suspense fallback={<LoadingFromInvo />}>
            {kind === 'milestone' && state === 'awaiting_approval' && (
              <UnlockCards game={game} person={person} playerId={action.playerId} />
            )}
            <DecisionPanel
              slug={slug}
              environment={game.environment}
              timeZone={game.timeZone}
              action={action}
              person={person}
              title={titleOf(action)}
            />
          </Suspense>
          <ResultCard slug={slug} action={action} />
          <Attempts action={action} timeZone={game.timeZone} />
          <Readings action={action} timeZone={game.timeZone} />
        </div>
      </div>
    </>
  );
}

interface StartStepsProps {
  game: Game;
  action: ActionDetails;
  person: Person;
  isSending: boolean;
  start: StartFacts;
}

/** What a start or a receipt has beside its action. */
interface StartFacts {
  grant: Grant | null;
  steps: Awaited<ReturnType<typeof listSteps>>;
  held: HeldPhone | null;
}

async function findStart(gameId: number, actionId: number): Promise<StartFacts> {
  const [grant, steps, held] = await Promise.all([
    findGrant(db(), gameId, actionId),
    listSteps(db(), gameId, actionId),
    findHeldPhone(db(), gameId, actionId),
  ]);
  return { grant, steps, held };
}

/** The action with its phone as the steps below show it: the two are read one after the other, and the phone may answer in between. */
function withPhoneOf(action: ActionDetails, start: StartFacts | null): ActionDetails {
  const { phone = null } = action.waiting;
  if (start === null || phone === null) return action;
  const asRead = { ...phone, answer: start.grant?.state ?? null, isMoving: mayHaveMoved(start.steps) };
  return { ...action, waiting: { ...action.waiting, phone: asRead } };
}

/** Where a start or a receipt is: its window, its approval, and the phone while it waits for one. */
function StartSteps({ game, action, start: { grant, steps, held }, person, isSending }: StartStepsProps): ReactElement {
  const { actionId, kind, state, amount, facts, result, waiting } = action;
  const isReceipt = kind === 'receipt';
  const isTransfer = kind === 'transfer_start';
  // The claim code of a transfer is for its requester.
  const isTheirs = !isTransfer || action.requestedBy.id === person.id;
  const until = result?.['verification_expires_at'];
  const isOver = waiting.phone?.isOver === true;
  const wasGuarded = action.readings.some(({ reading }) => reading.kind === 'guardian');
  const coins = coinsOf(facts);
  const waitsForOwner = waiting.for === 'owner' && held !== null;
  const mayPress = isSending && person.may('actions.request');
  const press = pressOf(action, person.id, mayPress);
  return (
    <>
      {(!isOver || state !== 'with_player' || mayHaveMoved(steps)) && (
        <StartStrip action={action} grant={grant?.state ?? null} isMoving={mayHaveMoved(steps)} />
      )}
      {steps.map((step) => (
        <p key={step.actionId}>
          <Link href={`/${game.slug}/actions/${step.actionId}`}>
            {KIND_TEXT[step.kind].label}, action {step.actionId}
          </Link>
          : {actionStateText(step.kind, step.state).label.toLowerCase()}
        </p>
      ))}
      {state === 'with_player' && waiting.for !== 'guardian' && wasGuarded && (
        <p className={styles.when}>The guardian agreed. Invo reports no end of the window for the phone’s approval.</p>
      )}
      {state === 'with_player' && !mayHaveMoved(steps) && typeof until === 'string' && (waiting.for === 'guardian' || !wasGuarded) && (
        <p className={styles.when}>
          Invo’s window for {waiting.for === 'guardian' ? 'the guardian’s answer' : 'the approval'} {isOver ? 'ended' : 'ends'} at{' '}
          {formatUtc(until, 'second')}.{' '}
          {isOver ? 'Invo returns the coins, and this ends by itself within minutes.' : 'Then the coins go back.'}
        </p>
      )}
      <PressPanel slug={game.slug} actionId={actionId} button={waitsForOwner ? null : press} />
      {waitsForOwner && mayPress && action.requestedBy.id === person.id && (
        <OwnerPanel
          slug={game.slug}
          actionId={actionId}
          mayText={mayTextOwner(result, held, steps)}
          draftId={randomUUID()}
          hasAgreed={held.hasAgreed === true}
        />
      )}
      <PhonePanel
        slug={game.slug}
        actionId={actionId}
        isOpen={state === (isReceipt ? 'approved' : 'with_player') && !isOver && !mayHaveMoved(steps) && mayPress && isTheirs}
        isGuarded={waiting.for === 'guardian'}
        isHouse={kind === 'send_start'}
        needsSecondPerson={game.environment === 'production'}
        isReceipt={isReceipt}
        phone={PHONES[kind] ?? 'the phone'}
        stored={grant === null ? null : { grantId: grant.grantId, state: grant.state }}
        draftId={randomUUID()}
        stepDraftId={randomUUID()}
        answer={answerIn(steps)}
        mustShow={`${game.name} and ${formatActionAmount('coins', amount ?? facts.status?.net_amount ?? '0.00', coins)}`}
      />
    </>
  );
}

/** Whose phone is needed. */
const PHONES: Readonly<Partial<Record<ActionKind, string>>> = {
  send_start: 'the house account’s phone',
  transfer_start: 'the player’s phone',
  receipt: 'the receiver’s phone',
};

/** How the state is named; a card that Invo saved for another player is no success. */
function shownState(action: ActionDetails): ReturnType<typeof actionStateText> {
  const { kind, state, waiting } = action;
  const text = actionStateText(kind, state, waiting);
  return state === 'done' && isOwnCard(action) === false ? { ...text, tone: 'bad', label: 'Done for another player' } : text;
}

/** What the action is called on its page. */
function titleOf({ kind, amount, facts, playerName, playerId, houseLabel }: ActionDetails): string {
  const title = { kind, amount, request: facts.request, coins: coinsOf(facts) };
  if (kind === 'phone_enrolment') {
    const what = facts.request['decision'] === 'approve' ? 'Set-up of a new phone' : 'Denial of a new phone';
    return `${what} for ${houseLabel ?? formatPlayer(playerName, playerId)}`;
  }
  return formatActionTitle(title, formatPlayer(playerName, playerId));
}

/** The action as a person may read it: words that people typed can have emails. */
function masked(action: ActionDetails, canSeeEmails: boolean): ActionDetails {
  if (canSeeEmails) return action;
  const mask = (text: string | null): string | null => (text === null ? null : maskEmailsIn(text));
  const decisions = action.decisions.map((each) => ({ ...each, text: maskEmailsIn(each.text) }));
  return { ...action, reasonText: mask(action.reasonText), ticket: mask(action.ticket), decisions };
}

/** The one button of the action for this person; null: there is nothing to send, or another person sends it. */
function pressOf(
  { kind, state, waiting, requestedBy, takenAgainAt, facts }: ActionDetails,
  personId: string,
  mayPress: boolean,
): ComponentProps<typeof PressPanel>['button'] {
  const { repeats, isForRequester, enters = null } = protocolOf(kind);
  const isSendable = repeats !== 'worker' && (state === 'approved' || (state === 'checking' && repeats === 'person'));
  // A receipt is pressed beside the phone that approves it.
  if (!mayPress || !isSendable || takenAgainAt !== null || kind === 'receipt' || (isForRequester && requestedBy.id !== personId))
    return null;
  const { press, pressAgain, pending } = KIND_TEXT[kind];
  const phoneEnd = facts.request['receiver_phone_end'] ?? facts.request['player_phone_end'];
  const phone = {
    label: kind === 'send_start' ? 'Receiver’s phone' : 'Player’s phone',
    end: typeof phoneEnd === 'string' ? phoneEnd : null,
  };
  const isAgain = state === 'checking' || isCardAtBank(kind, state, waiting.errorCode);
  return { label: isAgain ? pressAgain : press, pending, isAgain, enters, phone };
}

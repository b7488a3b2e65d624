import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import { rereadActionAction } from '#app/[game]/_actions/actions.ts';
import type { ActionDetails, findDecline } from '#lib/actions/reads/find-action.ts';
import { isReadAsPlayer, protocolOf } from '#lib/actions/rules/protocols.ts';
import { endOfSending, formatSending, type SendingBlocker } from '#lib/actions/sending-text.ts';
import { formatNamedFields, formatRefused, isCardAtBank } from '#lib/actions/state-text.ts';
import { ATTENTION_TEXT } from '#lib/actions/text.ts';
import { parseGuardianState } from '#lib/transfers/rules/transfer-state.ts';
import { guardianText } from '#lib/transfers/text.ts';

interface StateLinesProps {
  slug: string;
  timeZone: string;
  action: ActionDetails;
  person: Person;
  /** What the state means. */
  sentence: string;
  /** Who rejected or withdrew it; null: nobody did. */
  decline: Awaited<ReturnType<typeof findDecline>>;
  /** What prevents Sharebook from sending it by itself. */
  blocker: SendingBlocker;
}

/** What the state of an action means, why it is in it, and what happens next. */
export function StateLines({ slug, timeZone, action, person, sentence, decline, blocker }: StateLinesProps): ReactElement {
  const { actionId, kind, state, waiting, attentionReason, continuesAt, paidOrderId, takenAgainAt } = action;
  const status = action.attempts.at(-1)?.status ?? null;
  const why = formatRefused(kind, state, waiting, status) ?? formatNamedFields(action, status);
  const guardian = formatGuardian(action);
  const isDeclined = kind === 'purchase' && state === 'not_done' && action.attempts.at(-1)?.error_code === 'card_declined';
  const sending =
    continuesAt === null
      ? null
      : formatSending(kind, state, { next: formatUtc(continuesAt, 'second'), end: formatUtc(endOfSending(action), 'second') }, blocker);
  const linkEnd = waiting.link === 'open' || waiting.link === 'over' ? linkEndOf(action) : null;
  return (
    <>
      <p className={styles.sentence}>{sentence}</p>
      {kind === 'phone_enrolment' && (
        <p className={styles.sentence}>
          The answer: {action.facts.request['decision'] === 'approve' ? 'set up the new phone' : 'deny the new phone'}.
        </p>
      )}
      {state === 'done' && kind === 'redeem' && <RewardCode slug={slug} action={action} />}
      {state === 'done' && kind === 'transfer_approve' && (
        <p className={styles.sentence}>
          {wasAnswerLost(action)
            ? 'Invo’s answer was lost, so nobody was shown a claim code.'
            : 'A claim code in Invo’s answer was shown once, to the person who moved the coins.'}
        </p>
      )}
      {why !== null && <p className={styles.sentence}>{why}</p>}
      {guardian !== null && <p className={styles.sentence}>{guardian}</p>}
      {decline !== null && (
        <p className={styles.sentence}>
          By {decline.name} at <Instant at={decline.at} timeZone={timeZone} />
          {decline.why === '' ? '. No reason was given.' : `: “${decline.why}”`}
        </p>
      )}
      {attentionReason !== null && <p className={styles.sentence}>{ATTENTION_TEXT[attentionReason]}</p>}
      {state === 'done' && (kind === 'card_confirm' || kind === 'card_setup') && <p className={styles.sentence}>{formatCard(action)}</p>}
      {linkEnd !== null && (
        <p className={styles.when}>
          {waiting.link === 'over' ? 'It expired at' : 'It can be paid until'} <Instant at={linkEnd} timeZone={timeZone} />.
        </p>
      )}
      {paidOrderId !== null && (
        <p>
          Paid by order <Link href={`/${slug}/orders/${encodeURIComponent(paidOrderId)}`}>{paidOrderId}</Link>.
        </p>
      )}
      {person.may('actions.request') && <NextForm slug={slug} action={action} />}
      {kind === 'purchase' && state === 'checking' && (
        <>
          {waiting.errorCode === 'requires_action' && <BankCheck slug={slug} result={action.result} />}
          <p className={styles.sentence}>
            Sending it again uses the same reference, so Invo buys once. It takes the same token, which Sharebook doesn’t store.
          </p>
        </>
      )}
      {isDeclined && <p className={styles.sentence}>The card was declined.</p>}
      {state === 'approved' && takenAgainAt !== null && (
        <p className={styles.sentence}>
          Invo takes it again at <Instant at={takenAgainAt} timeZone={timeZone} precision="second" />. Send it again then.
        </p>
      )}
      {state === 'approved' && protocolOf(kind).repeats !== 'worker' && kind !== 'phone_enrolment' && continuesAt !== null && (
        <p className={styles.when}>
          It can be sent until <Instant at={continuesAt} timeZone={timeZone} />. Then it expires.
        </p>
      )}
      {state === 'unknown' && sending === null && continuesAt !== null && (
        <p className={styles.when}>
          Sharebook ends it at <Instant at={continuesAt} timeZone={timeZone} precision="second" />.
        </p>
      )}
      {sending !== null && <p className={styles.when}>{sending}</p>}
      {state === 'checking' && isReadAsPlayer(kind) && person.may('actions.request') && (
        <ActionForm
          action={rereadActionAction}
          about={{ game: slug, actionId }}
          label="Look in the vault"
          pendingLabel="Reading as the player…"
        />
      )}
      {state === 'checking' && !isReadAsPlayer(kind) && continuesAt !== null && (
        <p className={styles.when}>
          Sharebook reads it again at <Instant at={continuesAt} timeZone={timeZone} precision="second" />.
        </p>
      )}
      {state === 'done' && continuesAt !== null && (
        <p className={styles.when}>
          Sharebook reads the wallet at <Instant at={continuesAt} timeZone={timeZone} precision="second" />.
        </p>
      )}
    </>
  );
}

/** Where a person does what follows by another action: a new link or collection, or the confirmation of a card. Nothing for other states. */
function NextForm({
  slug,
  action: { kind, state, waiting, playerId, facts, result },
}: Pick<StateLinesProps, 'slug' | 'action'>): ReactElement | null {
  const player = `/${slug}/players/${playerId}`;
  const isOver = state === 'unknown' || state === 'lapsed' || waiting.link === 'over';
  const advice = isOver
    ? 'If the player still needs a link, make a new one:'
    : 'Once shown, or after its page was closed or loaded again, it can’t be shown. If the player needs another link, make a new one; both can be paid:';
  const [setUp, transfer] = [result?.['setup_intent_id'], facts.request['transaction_id']];
  if (kind === 'payment_link' && (isOver || waiting.link === 'open'))
    return (
      <p className={styles.sentence}>
        {advice} <Link href={`${player}/link`}>Payment link…</Link>
      </p>
    );
  if (kind === 'rewards_page' && (isOver || state === 'done'))
    return (
      <p className={styles.sentence}>
        {state === 'done' && 'Once shown, it can’t be shown again. '}If you still need the page, get a new link:{' '}
        <Link href={`${player}/sandbox/rewards`}>Open the rewards page…</Link>
      </p>
    );
  if (kind === 'claim' && state === 'not_done' && typeof transfer === 'string')
    return (
      <p className={styles.sentence}>
        <Link href={`/${slug}/transfers/${encodeURIComponent(transfer)}/claim`}>Collect with a code…</Link>
      </p>
    );
  if (isCardAtBank(kind, state, waiting.errorCode) && typeof setUp === 'string')
    return (
      <p className={styles.sentence}>
        Complete the bank’s check in your test client. Then use “<Link href={`${player}/cards/confirm`}>Confirm a card…</Link>” with the
        set-up ID <CopyButton text={setUp} what="set-up ID" />
      </p>
    );
  return null;
}

/** How a test purchase continues that the bank must check: in the studio’s own client, then on the page of its order. */
function BankCheck({ slug, result }: Pick<StateLinesProps, 'slug'> & Pick<ActionDetails, 'result'>): ReactElement | null {
  const orderId = result?.['order_id'];
  const intent = result?.['payment_intent_id'];
  if (typeof orderId !== 'string') return null;
  return (
    <p className={styles.sentence}>
      Complete the bank’s check in your test client{typeof intent === 'string' && ` (payment intent ${intent})`}. Then use “Confirm
      payment…” on order <Link href={`/${slug}/orders/${encodeURIComponent(orderId)}`}>{orderId}</Link>.
    </p>
  );
}

/** Why a start ended without effect, where a guardian’s answer says it; null: it doesn’t. */
function formatGuardian({ state, readings }: Pick<ActionDetails, 'state' | 'readings'>): string | null {
  const newest = readings.map(({ reading }) => reading).findLast((reading) => reading.kind === 'guardian');
  const answer = newest?.kind === 'guardian' ? parseGuardianState(newest.state) : null;
  const isEnded = state === 'not_done' || state === 'lapsed';
  return isEnded && (answer === 'rejected' || answer === 'expired') ? guardianText(answer).sentence : null;
}

/** When a payment link ends, as Invo reported it; null: it reported none. */
function linkEndOf({ result }: Pick<ActionDetails, 'result'>): string | null {
  const end = result?.['expires_at'];
  return typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? end : null;
}

/** Whether a reading or people say that it is done, because no answer came: then nothing was shown to anyone. */
function wasAnswerLost({ outcomeSource }: Pick<ActionDetails, 'outcomeSource'>): boolean {
  return outcomeSource === 'reading' || outcomeSource === 'people';
}

/** Whether a code was shown: a vault that says “redeemed” after a lost answer shows none, and Invo shows a code again for a while only. */
function RewardCode({ slug, action }: Pick<StateLinesProps, 'slug' | 'action'>): ReactElement {
  const { playerId, result } = action;
  const until = result?.['reveal_until'];
  const again = <Link href={`/${slug}/players/${playerId}/loyalty`}>Show the code again</Link>;
  return wasAnswerLost(action) ? (
    <p className={styles.sentence}>
      Invo’s answer was lost, so nobody was shown a code. While Invo still shows it, use “{again}” on the player’s loyalty tab.
    </p>
  ) : (
    <p className={styles.sentence}>
      A code in Invo’s answer is shown once, to the person who requested it.
      {typeof until === 'string' && (
        <>
          {' '}
          Invo shows it until {formatUtc(until, 'second')}: use “{again}” on the player’s loyalty tab.
        </>
      )}
    </p>
  );
}

/** Whether a card that Invo saved is among those of the action’s player; null: it isn’t known. */
export function isOwnCard({ result, readings }: Pick<ActionDetails, 'result' | 'readings'>): boolean | null {
  const saved = result?.['card_id'];
  const newest = readings.map(({ reading }) => reading).findLast((reading) => reading.kind === 'cards');
  return typeof saved !== 'number' || newest?.kind !== 'cards' ? null : newest.cards.some(({ id }) => id === saved);
}

function formatCard(action: ActionDetails): string {
  switch (isOwnCard(action)) {
    case true:
      return `It is among the cards of player ${action.playerId}.`;
    case false:
      return `It isn’t among the cards of player ${action.playerId}, so Invo saved it for another player of this game. Check the set-up ID.`;
    case null:
      return '';
  }
}

import Link from 'next/link';
import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import type { ActionDetails } from '#lib/actions/reads/find-action.ts';
import type { Reading } from '#lib/actions/rules/action-facts.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import { approvalOf, protocolOf } from '#lib/actions/rules/protocols.ts';
import { ANSWER_TEXT, formatActionAmount, OUTCOME_TEXT, REASON_TEXT } from '#lib/actions/text.ts';
import { coinsOf } from '#lib/actions/title-text.ts';
import { formatMoney, parseMoney } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import { orderStatusText } from '#lib/orders/text.ts';
import { rewardStateText } from '#lib/players/text.ts';
import { guardianText, transferStateText } from '#lib/transfers/text.ts';

interface HistoryProps {
  action: ActionDetails;
  timeZone: string;
}

/** What was requested and why. The reason stays in Sharebook. */
export function RequestCard({ slug, action }: Pick<HistoryProps, 'action'> & { slug: string }): ReactElement {
  const { state, reference, facts, reasonCode, reasonText, ticket, decisions } = action;
  const setUp = facts.request['setup_intent_id'];
  return (
    <Card title="Request">
      <Facts
        columns={2}
        facts={[
          ...(typeof setUp === 'string'
            ? [{ label: 'Card set-up', value: <CopyButton text={setUp} what="set-up ID" />, isWide: true as const }]
            : []),
          ...requestFactsOf(slug, action),
          { label: 'Reason', value: REASON_TEXT[reasonCode], ...(reasonText === null ? {} : { note: `“${reasonText}”` }) },
          { label: 'Ticket', value: ticket ?? 'None' },
          ...(state === 'attention' && reference !== null
            ? [{ label: 'Reference to quote to Invo', value: <CopyButton text={reference} what="reference" />, isWide: true as const }]
            : []),
          ...decisions.map(({ decision_no, decision, by, text, withdrawnAt, confirmedBy }) => ({
            label: `Outcome ${decision_no}${withdrawnAt === null ? '' : ', discarded'}`,
            value: OUTCOME_TEXT[decision],
            note: `${by.name}: “${text}”${confirmedBy === null ? '' : ` Confirmed by ${confirmedBy.name}.`}`,
          })),
        ]}
      />
    </Card>
  );
}

/** What a milestone or an item sale requests, as it is sent. */
function requestFactsOf(slug: string, action: ActionDetails): Fact[] {
  const { facts, houseLabel } = action;
  const { request } = facts;
  const text = (name: string): string => String(request[name] ?? '');
  if (typeof request['event_type'] === 'string')
    return [
      { label: 'Milestone', value: text('name'), note: text('event_type') },
      { label: 'Value', value: request['value'] === null ? 'None' : text('value') },
      { label: 'Happened', value: formatUtc(text('occurred_at'), 'second') },
    ];
  if (typeof request['house_player_id'] === 'number' && typeof request['receiver_phone_end'] === 'string')
    return [
      ...amountOf(action),
      { label: 'From house account', value: houseLabel ?? 'Removed', note: `Player ${request['house_player_id']}` },
      { label: 'Receiver’s phone', value: `Ends in ${text('receiver_phone_end')}` },
    ];
  if (Array.isArray(request['player_fields']) || typeof request['player_phone_end'] === 'string')
    return [
      ...amountOf(action),
      ...([request['player_fields'] ?? []].flat().includes('player_email') ? [{ label: 'Player’s email', value: 'Of the wallet' }] : []),
      ...(text('player_phone_end') === '' ? [] : [{ label: 'Player’s phone', value: `Ends in ${text('player_phone_end')}` }]),
    ];
  if (typeof request['start_id'] === 'number')
    return [
      { label: 'Start', value: <Link href={`/${slug}/actions/${request['start_id']}`}>Action {request['start_id']}</Link> },
      ...(request['decision'] === 'approve' || request['decision'] === 'deny'
        ? [{ label: 'Answer', value: request['decision'] === 'approve' ? 'Set up the new phone' : 'Deny the new phone' }]
        : []),
      ...(typeof request['transaction_id'] === 'string'
        ? [{ label: 'Transaction', value: <CopyButton text={text('transaction_id')} what="transaction ID" />, isWide: true as const }]
        : []),
    ];
  // What Invo reports of the reward is beside it.
  if (typeof request['vault_entry_id'] === 'string') return [];
  if (typeof request['item_id'] !== 'string') return amountOf(action);
  return [
    { label: 'Item', value: text('item_name'), note: text('item_id') },
    { label: 'Quantity × unit price', value: `${text('item_quantity')} × ${formatMoney(text('unit_price'))}` },
    ...amountOf(action),
  ];
}

/** What counts towards a limit; nothing of a kind without an amount. */
function amountOf({ kind, amount, facts }: ActionDetails): Fact[] {
  const { unit } = protocolOf(kind);
  if (amount === null || unit === null) return [];
  return [{ label: kind === 'item_sale' ? 'Total' : 'Amount', value: formatActionAmount(unit, amount, coinsOf(facts)) }];
}

/** What Invo’s answer stated, under what people call it; nothing where it stated none of these. */
export function ResultCard({
  slug,
  action: { result, kind, facts },
}: Pick<HistoryProps, 'action'> & { slug: string }): ReactElement | null {
  const isStart = approvalOf(kind) !== null;
  const coins = coinsOf(facts);
  const stated = RESULT_FACTS.flatMap(([name, label]): Fact[] => {
    const value = result?.[name];
    if (typeof value === 'boolean') return [{ label, value: value ? 'Yes' : 'No' }];
    if (typeof value !== 'string') return [];
    // Invo’s order of a start, or of an item, isn’t one of the game’s orders; a transfer has a page.
    const path =
      name === 'order_id' && !isStart && kind !== 'item_sale'
        ? 'orders'
        : name === 'transaction_id' && kind === 'transfer_start'
          ? 'transfers'
          : null;
    if (path !== null) return [{ label, value: <Link href={`/${slug}/${path}/${encodeURIComponent(value)}`}>{value}</Link>, isWide: true }];
    if (name === 'order_status') return [{ label, value: orderStatusText(value, 'currency').label }];
    if (name === 'new_balance' && isStart)
      return [
        {
          label: kind === 'send_start' ? 'House account once reserved' : 'Available once reserved',
          value: formatActionAmount('coins', value, coins),
        },
      ];
    if (IN_COINS.has(name) && parseMoney(value) !== null) return [{ label, value: formatActionAmount('coins', value, coins) }];
    return [
      { label, value: parseMoney(value) === null ? value : formatMoney(value), ...(value.length > 16 ? { isWide: true as const } : {}) },
    ];
  });
  if (stated.length === 0) return null;
  return (
    <Card title="Invo’s answer">
      <Facts columns={2} facts={stated} />
    </Card>
  );
}

const RESULT_FACTS = [
  ['order_id', 'Order'],
  ['order_status', 'Order status'],
  ['transaction_id', 'Transaction'],
  ['setup_intent_id', 'Card set-up'],
  ['new_balance', 'Available afterwards'],
  ['total_fee', 'Fees'],
  ['net_amount', 'After fees'],
  ['transferable_max', 'Can be moved at most'],
  ['card_saved', 'Card saved'],
] as const;

/** Figures of the wallet that coins leave or come to. What a receiver gets may be of another game, in its coins. */
const IN_COINS: ReadonlySet<string> = new Set(['new_balance', 'total_fee', 'transferable_max']);

/** Every exchange with Invo, the newest first. */
export function Attempts({ action: { attempts }, timeZone }: HistoryProps): ReactElement | null {
  if (attempts.length === 0) return null;
  return (
    <Card title="Attempts">
      <ul className={styles.list}>
        {attempts.toReversed().map(({ attempt_no, class: meaning, phase, status, error_code, error_id, words, sentBy, committedAt }) => (
          <li key={attempt_no}>
            <p>
              Attempt {attempt_no}:{' '}
              {meaning === null ? 'in progress' : <Flag {...(error_code === 'requires_action' ? AT_BANK : ANSWER_TEXT[meaning])} />}
              {status !== null && !(meaning === 'open' && status < 300) && ` HTTP ${status}`}
              {error_code !== null && <> {formatNoAnswer(error_code, phase) ?? <code>{error_code}</code>}</>}
            </p>
            {words !== null && <p className={styles.sentence}>Invo’s words: “{words}”</p>}
            <p className={styles.when}>
              {sentBy ?? 'Sharebook'}, <Instant at={committedAt} timeZone={timeZone} precision="second" />
            </p>
            {error_id !== null && <CopyButton text={error_id} what={`error ID of attempt ${attempt_no}`} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const AT_BANK = { word: 'Bank check required', tone: 'wait' } as const;

/** Why no whole answer came, where Sharebook found out; null: a code of Invo says so. */
function formatNoAnswer(errorCode: string, phase: string | null): string | null {
  if (errorCode === 'unreachable' && phase === 'not_sent') return 'couldn’t reach Invo';
  return NO_ANSWERS[errorCode] ?? null;
}

const NO_ANSWERS: Readonly<Record<string, string>> = {
  unreachable: 'connection lost',
  timeout: 'no answer in time',
  sender_silent: 'Sharebook stopped while sending',
  restore_unchecked: 'not sent: the database isn’t confirmed as current',
  aborted: 'stopped before it was sent',
};

/** What was read to find the outcome, the newest first. */
export function Readings({ action: { readings, state, kind }, timeZone }: HistoryProps): ReactElement | null {
  if (readings.length === 0) return null;
  const isDone = state === 'done';
  return (
    <Card title="Readings">
      <ul className={styles.list}>
        {groupsOf(readings, kind).map(({ text, newest, count }) => (
          <li key={newest}>
            <p>{text}</p>
            <p className={styles.when}>
              <Instant at={newest} timeZone={timeZone} precision="second" />
              {count > 1 && `, the same in ${count} readings`}
            </p>
          </li>
        ))}
      </ul>
      {isDone && readings.some(({ reading }) => reading.kind === 'wallet') && (
        <p className={styles.when}>A wallet proves nothing: the player, and others, spend too.</p>
      )}
    </Card>
  );
}

/** Readings that state the same one after another, as one, the newest first. */
function groupsOf(readings: ActionDetails['readings'], kind: ActionKind): { text: string; newest: string; count: number }[] {
  const groups: { text: string; newest: string; count: number }[] = [];
  for (const { reading, at } of readings) {
    const [text, last] = [formatReading(reading, kind), groups.at(-1)];
    if (last?.text === text) Object.assign(last, { newest: at, count: last.count + 1 });
    else groups.push({ text, newest: at, count: 1 });
  }
  return groups.toReversed();
}

/** What was read, as a line of the history. */
export function formatReading(reading: Reading, kind: ActionKind): string {
  switch (reading.kind) {
    case 'order':
      return `Order ${reading.order_id}: ${orderStatusText(reading.status, 'currency').label}`;
    case 'cards':
      return `Saved cards: ${reading.cards.length === 0 ? 'none' : reading.cards.map(({ brand, last_four }) => `${capitalise(brand ?? 'card')} •••• ${last_four ?? '????'}`).join(', ')}`;
    case 'vault':
      return `Reward: ${reading.state === null ? 'not in the vault' : rewardStateText(reading.state).label}`;
    case 'status':
      return `${kind === 'send_start' || kind === 'send_approve' ? 'Send' : 'Transfer'} ${reading.transaction_id}: ${transferStateText(reading.verification_state, reading.transaction_status).label}`;
    case 'guardian':
      return guardianText(reading.state).label;
    case 'wallet':
      return `${kind === 'send_start' || kind === 'send_approve' ? 'Wallet of the house account' : 'Wallet'}: ${reading.balances.map(({ currency_name, available_balance }) => `${formatMoney(available_balance)} ${currency_name ?? ''}`).join(', ')}`;
  }
}

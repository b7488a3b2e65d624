import { LIMITED_KEYS, type Limited } from '#lib/approvals/rules/approval.ts';
import { isClientSecret } from '#lib/core/typed-input.ts';
import type { ActionBlocker, ActionFacts, ActionResult, FactsChange } from './action-facts.ts';
import { cardConfirm } from './kinds/card-confirm.ts';
import { cardSetup } from './kinds/card-setup.ts';
import { claim } from './kinds/claim.ts';
import { clientEvent } from './kinds/client-event.ts';
import { itemSale } from './kinds/item-sale.ts';
import { milestone } from './kinds/milestone.ts';
import { ownerText } from './kinds/owner-text.ts';
import { paymentConfirm } from './kinds/payment-confirm.ts';
import { paymentLink } from './kinds/payment-link.ts';
import { phoneEnrolment } from './kinds/phone-enrolment.ts';
import { purchase } from './kinds/purchase.ts';
import { redeem } from './kinds/redeem.ts';
import { rewardsPage } from './kinds/rewards-page.ts';
import { sendApprove } from './kinds/send-approve.ts';
import { sendStart } from './kinds/send-start.ts';
import { transferApprove } from './kinds/transfer-approve.ts';
import { receipt } from './kinds/transfer-receipt.ts';
import { transferStart } from './kinds/transfer-start.ts';
import { ACTION_KINDS, type ActionGroup, type ActionKind, parseActionKind, type Repeats } from './kinds.ts';

import type { AnswerClass, Fields, Observed, Passing, Protocol, WriteContext } from './protocol.ts';
import { parsePhone, SECRET_ENTRY } from './typed-entries.ts';

/** Invo's answer before a kind reads it; `json` null: no whole JSON object came. */
export interface RawAnswer extends Omit<Observed<unknown>, 'answer'> {
  json: Fields | null;
}

/** What a kind makes of an answer: its class, the fields to store, and what goes to the requester's screen and nowhere else. */
interface ReadAnswer {
  class: AnswerClass;
  result: ActionResult | null;
  passes: Passing | null;
}

/** What was entered at a press. */
export type Entries = Pick<WriteContext, 'entered' | 'phone'>;

/** A kind as the frame uses it: its request is the stored JSON, which the kind parses. */
export interface AnyProtocol
  extends Pick<
    Protocol<ActionFacts['request'], ActionResult, Repeats>,
    | 'kind'
    | 'group'
    | 'repeats'
    | 'key'
    | 'needsSecondPerson'
    | 'family'
    | 'keepsBody'
    | 'isForRequester'
    | 'enters'
    | 'decidedBy'
    | 'reading'
    | 'movesCoins'
    | 'unit'
    | 'decidingOf'
    | 'next'
    | 'judge'
  > {
  /** Parses a request; null for one that is none of this kind. */
  parseRequest(request: unknown): ActionFacts['request'] | null;
  subjectOf(request: unknown, playerId: number): string;
  /** What its path names; null: nothing. */
  inPath(request: unknown): string | null;
  takesPhone(request: unknown): boolean;
  amountOf(request: unknown): string | null;
  blockerOf(request: unknown, facts: Omit<ActionFacts, 'request'>): ActionBlocker | null;
  isAlike(request: unknown, earlier: unknown): boolean;
  write(request: unknown, context: WriteContext): string;
  /** The body as its digest is stored. */
  writeDigested(request: unknown, context: WriteContext): string;
  read(raw: RawAnswer, request: unknown, reference?: string | null): ReadAnswer;
}

const PROTOCOLS: Readonly<Record<ActionKind, AnyProtocol>> = {
  payment_confirm: forAnyRequest(paymentConfirm),
  card_confirm: forAnyRequest(cardConfirm),
  payment_link: forAnyRequest(paymentLink),
  milestone: forAnyRequest(milestone),
  item_sale: forAnyRequest(itemSale),
  redeem: forAnyRequest(redeem),
  claim: forAnyRequest(claim),
  receipt: forAnyRequest(receipt),
  send_start: forAnyRequest(sendStart),
  send_approve: forAnyRequest(sendApprove),
  transfer_start: forAnyRequest(transferStart),
  transfer_approve: forAnyRequest(transferApprove),
  owner_text: forAnyRequest(ownerText),
  phone_enrolment: forAnyRequest(phoneEnrolment),
  purchase: forAnyRequest(purchase),
  card_setup: forAnyRequest(cardSetup),
  client_event: forAnyRequest(clientEvent),
  rewards_page: forAnyRequest(rewardsPage),
};

/** The protocol of a kind. */
export function protocolOf(kind: ActionKind): AnyProtocol {
  return PROTOCOLS[kind];
}

/** The change that each part of the deciding facts means. */
const CHANGE_OF_PART: Readonly<Record<string, FactsChange>> = {
  player_id: 'other_player',
  currencies: 'changed_currencies',
  order: 'changed_order',
  vault: 'changed_reward',
  transfer: 'changed_transfer',
  sender: 'changed_sender',
  destination: 'no_destination',
  is_covered: 'not_covered',
};

/** What of that which an action depends on is no longer as it was approved; null: nothing is. */
export function findChange(kind: ActionKind, stored: ActionFacts, fresh: Omit<ActionFacts, 'request'>): FactsChange | null {
  const { blockerOf, decidingOf } = PROTOCOLS[kind];
  const [before, now] = [decidingOf(stored), decidingOf({ ...fresh, request: stored.request })].map(
    (parts) => new Map(Object.entries(parts)),
  );
  const part = [...(now ?? [])].find(([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.get(name)))?.[0];
  return part === undefined ? null : (blockerOf(stored.request, fresh) ?? CHANGE_OF_PART[part] ?? null);
}

/** What turns an action on: of a step the group of its start. */
export function groupOf(kind: ActionKind, request: ActionFacts['request']): ActionGroup {
  const { group } = PROTOCOLS[kind];
  if (group !== 'of_start') return group;
  const start = parseActionKind(request['start_kind']);
  if (start === null) throw new Error(`a ${kind} without its start`);
  return groupOf(start, request);
}

/** Whose limits the amount of a kind counts towards; null: none. */
export function limitedBy(kind: ActionKind): Limited | null {
  const { group, unit } = PROTOCOLS[kind];
  return unit !== null && isLimited(group) ? group : null;
}

/** The kinds whose amounts count towards the same limits. */
export function kindsLimitedBy(what: Limited): ActionKind[] {
  return ACTION_KINDS.filter((kind) => limitedBy(kind) === what);
}

/** A start whose coins a phone's approval moves, and the kind of that approval. */
const APPROVED_BY = { send_start: 'send_approve', transfer_start: 'transfer_approve' } as const satisfies Partial<
  Record<ActionKind, ActionKind>
>;

/** The kind that moves the coins of a start; null: the kind is no start. */
export function approvalOf(kind: ActionKind): (typeof APPROVED_BY)[keyof typeof APPROVED_BY] | null {
  return kind in APPROVED_BY ? APPROVED_BY[kind as keyof typeof APPROVED_BY] : null;
}

/** Kinds that only their requester sends. */
export const KINDS_OF_REQUESTER = ACTION_KINDS.filter((kind) => PROTOCOLS[kind].isForRequester);

/** Starts whose coins only their requester moves. */
export const STARTS_OF_REQUESTER = ACTION_KINDS.filter((kind) => {
  const approval = approvalOf(kind);
  return approval !== null && PROTOCOLS[approval].isForRequester;
});

/** Whether the outcome of a kind is read as the player: only while a person looks, because no worker acts as a player. */
export function isReadAsPlayer(kind: ActionKind): boolean {
  return PROTOCOLS[kind].reading === 'vault';
}

/** Whether one person records the outcome of a kind that nothing settles. A sandbox game has no second persons. */
export function isDecidedAlone(kind: ActionKind, environment: 'production' | 'sandbox'): boolean {
  return environment === 'sandbox' || PROTOCOLS[kind].decidedBy === 1;
}

/** Parses what was entered at a press of a kind; undefined: it isn't what the kind takes. */
export function parseEntered(kind: ActionKind, typed: string): string | null | undefined {
  const { enters } = PROTOCOLS[kind];
  const text = typed.trim();
  if (enters === undefined) return null;
  if (enters === 'phone' || enters === 'held_phone') return parsePhone(text) ?? undefined;
  if (text === '') return enters === 'card_token_or_none' ? null : undefined;
  return SECRET_ENTRY.test(text) && !isClientSecret(text) ? text : undefined;
}

/** Parses what was entered at a press of a request, and the player's phone where it takes one; undefined: it isn't what it takes. */
export function parseEntries(
  kind: ActionKind,
  request: unknown,
  { typed, typedPhone }: { typed: string; typedPhone: string },
): Entries | undefined {
  const entered = parseEntered(kind, typed);
  const phone = PROTOCOLS[kind].takesPhone(request) ? parsePhone(typedPhone) : undefined;
  if (entered === undefined || phone === null) return undefined;
  return { entered, ...(phone === undefined ? {} : { phone }) };
}

function withoutSecrets({ deviceCode: _, phone, ...context }: WriteContext): WriteContext {
  return { ...context, entered: null, ...(phone === undefined ? {} : { phone: phone.slice(-2) }) };
}

function isLimited(group: string): group is Limited {
  return (LIMITED_KEYS as readonly string[]).includes(group);
}

function forAnyRequest<Request extends ActionFacts['request'], Answer extends ActionResult, R extends Repeats>(
  protocol: Protocol<Request, Answer, R>,
): AnyProtocol {
  const { request: schema } = protocol;
  return {
    ...protocol,
    parseRequest: (request) => {
      const parsed = schema.safeParse(request);
      return parsed.success ? parsed.data : null;
    },
    subjectOf: (request, playerId) => protocol.subjectOf(schema.parse(request), playerId),
    inPath: (request) => protocol.inPath?.(schema.parse(request)) ?? null,
    takesPhone: (request) => protocol.takesPhone?.(schema.parse(request)) ?? false,
    amountOf: (request) => protocol.amountOf(schema.parse(request)),
    blockerOf: (request, facts) => protocol.blockerOf(schema.parse(request), facts),
    isAlike: (request, earlier) => protocol.isAlike(schema.parse(request), schema.parse(earlier)),
    write: (request, context) => protocol.write(schema.parse(request), context),
    writeDigested: (request, context) =>
      protocol.write(schema.parse(request), protocol.isUndigested === true ? withoutSecrets(context) : context),
    read: ({ json, ...raw }, request, reference = null) => {
      const { answer, passes } = json === null ? { answer: null, passes: null } : protocol.pick(json);
      const kind = protocol.classify({ ...raw, answer }, schema.parse(request), reference);
      const isExecuted = kind === 'done' || kind === 'replayed';
      return { class: kind, result: answer, passes: isExecuted ? passes : null };
    },
  };
}

import type { Actor } from '../core/roles.ts';
import { connectInvo, type GameContext, type InvoFailure } from '../games/game-context.ts';
import { takeActionCall } from '../games/shared-budget.ts';
import { actionLimit, sendAction } from '../invo/routes/send-action.ts';
import { readActionFacts, readForOutcome, targetOf } from './read-action-facts.ts';
import { findSenderLimit } from './reads/sender-counts.ts';
import { callerOf, orderIdIn, transactionIdIn } from './rules/action-facts.ts';
import type { ActionAnswer, ActionJob, ActionWire, ReadError } from './rules/action-ports.ts';
import { protocolOf } from './rules/protocols.ts';

/** The process that sends. */
export interface Sender {
  owner: string;
  /** What it does before the first byte: a copy of the database from before this call must be recognised as one. Throws when it is one. */
  beforeSending: () => Promise<void>;
  /** Opens phones and device codes; only web processes have it. */
  sealKey?: Uint8Array;
}

/** The protocol's calls to Invo. Calls are taken from the rate budget before an attempt starts. */
export function actionWire(context: GameContext, { beforeSending, sealKey }: Sender, actor?: Actor): ActionWire {
  const reader = actor === undefined ? {} : { actor, isPress: true, ...(sealKey === undefined ? {} : { sealKey }) };
  const { game } = context;
  return {
    takeCall: async ({ content, actionId }) => {
      const limit = await findSenderLimit(game.db, game.gameId, content, actionId);
      if (limit !== null) return limit.wait_ms;
      return await takeActionCall(game.db, game.gameId, actionLimit(content.kind, callerOf(content.player_id, content.facts)));
    },
    readFacts: async ({ content, actionId }) => {
      const { kind, player_id: playerId, order_id: orderId, facts } = content;
      const read = await readActionFacts(context, targetOf({ kind, playerId, orderId, facts, actionId }), reader);
      if (read.kind === 'no_answer') return toReadError(read.error);
      if (read.kind === 'blocked') return { blocked: true, why: read.blocker };
      return read.playerId === playerId ? read : { blocked: true, why: 'other_player' };
    },
    read: async ({ content, result }, kind) => {
      const { player_id: playerId, reference, facts } = content;
      const orderId = content.order_id ?? orderIdIn(result);
      const read = await readForOutcome(
        context,
        {
          kind,
          playerId,
          orderId,
          reference,
          facts,
          isItem: content.kind === 'item_sale',
          transactionId: transactionIdIn(facts.request, result),
        },
        reader,
      );
      return 'error' in read ? toReadError(read.error) : read;
    },
    send: async (job, bytes, token) => {
      try {
        await beforeSending();
      } catch {
        // The attempt is committed: without an answer it would count as possibly executed, although nothing was sent.
        return NOT_SENT;
      }
      return await send(context, job, bytes, token);
    },
  };
}

async function send({ game, config }: GameContext, { content }: ActionJob, body: Buffer, token: string | null): Promise<ActionAnswer> {
  const invo = connectInvo(game, config, { caller: 'person' });
  const { repeats, inPath } = protocolOf(content.kind);
  const sentBy = repeats === 'worker' ? ('worker' as const) : ('press' as const);
  const sent = { body, playerId: callerOf(content.player_id, content.facts), token, subject: inPath(content.facts.request), sentBy };
  const { phase, status, codes, json, errorId, retryAfterMs, transportError, evidence } = await sendAction(invo, content.kind, sent);
  return {
    phase,
    status,
    codes,
    json,
    errorId,
    retryAfterMs,
    transportError,
    answeredAt: Date.parse(game.now()),
    body: evidence?.received ?? null,
  };
}

function toReadError(error: InvoFailure | null): ReadError {
  return { error: error?.code ?? 'other_player', errorId: error?.errorId ?? null };
}

const NOT_SENT: ActionAnswer = {
  phase: 'not_sent',
  status: null,
  codes: [],
  json: null,
  errorId: null,
  retryAfterMs: null,
  transportError: 'restore_unchecked',
  body: null,
};

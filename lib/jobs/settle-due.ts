import { runDue } from '#db/kit/lease.ts';
import { openRefundStore } from '#lib/refunds/writes/refund-store.ts';
import { advanceAction } from '../actions/advance-action.ts';
import { openActionPorts } from '../actions/press-action.ts';
import type { GameConfig } from '../config.ts';
import { messageOf } from '../core/strings.ts';
import { connectInvo, type GameContext } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { advanceRefund, NO_ANSWER } from '../refunds/advance-refund.ts';
import type { RestoreGuard } from '../refunds/check-restore.ts';
import { refundWire } from '../refunds/refund-wire.ts';

/** The process that settles, until `signal` says to stop. */
interface Settling {
  owner: string;
  signal: AbortSignal;
  log: (event: 'error', fields: { game: string; message: string }) => void;
  /** null: this process has no data folder to compare the database with. */
  guard: RestoreGuard | null;
}

/** Settles the due refunds of a game, one step of one refund at a time, until none is due or `signal` says to stop. */
export async function settleDueRefunds(game: OpenGame, config: GameConfig, { owner, signal, log, guard }: Settling): Promise<void> {
  const wire = refundWire(game, connectInvo(game, config, { caller: 'person' }));
  const ports = {
    store: openRefundStore(game.db, owner, game.gameId),
    wire: {
      ...wire,
      // Before the first byte: a copy of the database from before this call must be recognised as one.
      send: async (subscriptionId: string, bytes: Buffer) => {
        try {
          await guard?.advance();
        } catch (error) {
          log('error', { game: game.slug, message: messageOf(error) });
          // The attempt is committed: without an answer it would count as possibly executed, although nothing was sent.
          return { ...NO_ANSWER, phase: 'not_sent' as const, transportError: 'restore_unchecked' };
        }
        return await wire.send(subscriptionId, bytes);
      },
    },
    jitter: Math.random,
    businessNow: game.now,
    timeZone: game.timeZone,
  };
  await runDue(signal, async () => {
    await guard?.check();
    return !signal.aborted && (await advanceRefund(ports));
  });
}

/** Does what is due of the desk actions of a game: sends those that the worker repeats, settles the others. */
export async function settleDueActions(context: GameContext, { owner, signal, log, guard }: Settling): Promise<void> {
  const beforeSending = async (): Promise<void> => {
    // Before the first byte: a copy of the database from before this call must be recognised as one.
    await guard?.advance().catch((error: unknown) => {
      log('error', { game: context.game.slug, message: messageOf(error) });
      throw error;
    });
  };
  const ports = openActionPorts(context, { owner, beforeSending });
  await runDue(signal, async () => {
    await guard?.check();
    return !signal.aborted && (await advanceAction(ports));
  });
}

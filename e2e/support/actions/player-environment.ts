import { rereadAction } from '#lib/actions/decide-outcome.ts';
import type { ActionTarget } from '#lib/actions/read-action-facts.ts';
import type { Passing } from '#lib/actions/rules/protocol.ts';
import type { SendResult } from '#lib/actions/send-approved.ts';
import { PLAYERS } from './action-environment.ts';
import { openWorkerEnvironment, type WorkerEnvironment } from './worker-environment.ts';

/** Rewards of Asa Venn in the simulated Invo, by their state. */
export const REWARDS = {
  unlocked: '00000000-0000-4000-8000-000000000001',
  redeemed: '00000000-0000-4000-8000-000000000002',
  reserved: '00000000-0000-4000-8000-000000000003',
} as const;

export const redemptionOf = (vaultEntryId: string) => ({ kind: 'redeem', playerId: PLAYERS.asa, vaultEntryId }) as const;

/** A game in which people may act as players, and what follows once an action is approved. */
export interface PlayerEnvironment extends WorkerEnvironment {
  /** Requests an action and has it approved where it needs that. */
  ready(target: ActionTarget, typed?: Record<string, string>): Promise<number>;
  /** Requests a redemption and has it approved. */
  approved(vaultEntryId: string): Promise<number>;
  /** Half an hour after the call of a redemption a person looks in the vault. */
  lookLater(actionId: number): Promise<void>;
  passedBy(sent: SendResult): Passing | null;
}

/** Opens a game whose admin turned redemptions on. */
export async function openPlayerEnvironment(): Promise<PlayerEnvironment> {
  const testEnv = await openWorkerEnvironment();
  const { pool, people, context } = testEnv;
  await pool.query(`insert into action_switch (game_id, action_group, is_on) select game_id, 'rewards', true from game`);
  const ready = async (target: ActionTarget, typed: Record<string, string> = {}): Promise<number> => {
    const requested = await testEnv.request(people.sam, target, { typed, isAlikeConfirmed: true });
    if (!requested.ok) throw new Error(JSON.stringify(requested));
    const { actionId } = requested;
    if ((await testEnv.find(actionId)).state !== 'awaiting_approval') return actionId;
    const approved = await testEnv.approve(actionId);
    if (!approved.ok) throw new Error(JSON.stringify(approved));
    return actionId;
  };
  return {
    ...testEnv,
    ready,
    approved: async (vaultEntryId) => await ready(redemptionOf(vaultEntryId)),
    lookLater: async (actionId) => {
      await pool.query(
        `alter table desk_action disable trigger desk_action_kept; update desk_action set last_sent_at = last_sent_at - interval '31 minutes' where action_id = ${actionId};
         alter table desk_action enable trigger desk_action_kept`,
      );
      await rereadAction(context, people.sara, actionId);
    },
    passedBy: (sent) => (sent.ok ? sent.passes : null),
  };
}

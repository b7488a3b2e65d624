import { approveAction } from '#lib/actions/approve-action.ts';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from './action-environment.ts';

/** What the worker sends, as a person types it. */
export const LANTERN = { event_type: 'game.custom.recorded', name: 'lantern_lit', value: '3', occurred_at: '2026-11-20T18:30:00Z' };
export const DYE = { item_id: 'dye', item_name: 'Sail dye', item_quantity: '3', unit_price: '12.50' };

export const EVENT = { kind: 'milestone', playerId: PLAYERS.asa } as const;
export const SALE = { kind: 'item_sale', playerId: PLAYERS.asa } as const;

/** A game in which milestones and item sales are on, and what follows once they are approved. */
export interface WorkerEnvironment extends ActionEnvironment {
  approve(actionId: number): ReturnType<typeof approveAction>;
  /** Requests a milestone and has it approved, before the worker’s turn. */
  reported(typed?: Record<string, string>): Promise<number>;
  /** Requests a sale within the limits, before the worker’s turn. */
  sold(typed?: Record<string, string>): Promise<number>;
  /** The worker's turn after every time it waits for. */
  laterTurn(): Promise<void>;
  /** The worker's turn a day after the approval and every call. */
  nextDay(): Promise<void>;
  /** Changes what no statement of the product may change. */
  alter(set: string): Promise<void>;
  /** Arms a fault for the next calls that write. */
  fail(kind: string, more?: object): Promise<void>;
  /** Calls that wrote milestones or sales. */
  writes(): Promise<{ path: string; status: number; bodySha256?: string }[]>;
}

/** Opens a game whose admin turned both groups on, with one name that Invo knows and one that it doesn't. */
export async function openWorkerEnvironment(): Promise<WorkerEnvironment> {
  const testEnv = await openActionEnvironment();
  const { pool, people, context } = testEnv;
  await pool.query(
    `insert into action_switch (game_id, action_group, is_on) select game_id, each, true from game, unnest(array['milestones', 'items']) each`,
  );
  await pool.query(
    `insert into milestone_name (game_id, event_type, name, label, added_by) select game_id, 'game.custom.recorded', each, each, $1
     from game, unnest(array['lantern_lit', 'not_registered']) each`,
    [people.fiona.id],
  );
  const request = async (...[actor, target, form]: Parameters<ActionEnvironment['request']>): Promise<number> => {
    const result = await testEnv.request(actor, target, { isAlikeConfirmed: true, ...form });
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.actionId;
  };
  const approve = async (actionId: number): ReturnType<typeof approveAction> => {
    const { contentDigest } = await testEnv.find(actionId);
    return await approveAction(context, people.fiona, { actionId, contentDigest });
  };
  const laterTurn = async (): Promise<void> => {
    await testEnv.makeDue();
    await testEnv.settle();
  };
  const alter = async (set: string): Promise<void> =>
    void (await pool.query(
      `alter table desk_action disable trigger desk_action_kept; update desk_action set ${set} where ended_at is null;
       alter table desk_action enable trigger desk_action_kept`,
    ));
  return {
    ...testEnv,
    approve,
    reported: async (typed = LANTERN) => {
      const actionId = await request(people.sam, EVENT, { typed });
      const approved = await approve(actionId);
      if (!approved.ok) throw new Error(JSON.stringify(approved));
      return actionId;
    },
    sold: async (typed = DYE) => await request(people.sam, SALE, { typed }),
    laterTurn,
    nextDay: async () => {
      const dayBefore = (column: string): string => `${column} = ${column} - interval '1 day'`;
      await alter(['approved_at', 'first_sent_at', 'last_sent_at'].map(dayBefore).join(', '));
      await laterTurn();
    },
    alter,
    fail: async (kind, more = {}) => void (await testEnv.control('POST', 'faults', [{ kind, match: { method: 'POST' }, ...more }])),
    writes: async () => (await testEnv.calls()).filter(({ method, path }) => method === 'POST' && /server-events|purchase-item/.test(path)),
  };
}

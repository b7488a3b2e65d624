import { randomUUID } from 'node:crypto';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { openNamedEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { UpstreamOptions } from '#e2e/upstream/server.ts';
import type { Sender } from '#lib/actions/action-wire.ts';
import { advanceAction } from '#lib/actions/advance-action.ts';
import { openActionPorts, pressAction } from '#lib/actions/press-action.ts';
import { type ActionTarget, digestShown, readActionFacts } from '#lib/actions/read-action-facts.ts';
import { type ActionDetails, findAction } from '#lib/actions/reads/find-action.ts';
import { type ActionForm, type RequestResult, requestAction } from '#lib/actions/request-action.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import type { SendResult } from '#lib/actions/send-approved.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Actor, Role } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { search } from '#lib/search/search.ts';

/** Players of the demo, by what support knows them for. */
export const PLAYERS = { mira: 910_001, asa: 910_023, bree: 910_024, ivo: 910_026, gus: 910_027 } as const;

export const SENDER: Sender = { owner: 'web test', beforeSending: async () => undefined };

/** The same people in the sandbox. */
export const SANDBOX_PLAYERS = { asa: 920_023, gus: 920_027 } as const;

function sandboxOf({ upstream }: TestEnvironment): Partial<GameConfig> {
  return { environment: 'sandbox', baseUrl: `${upstream.url}/sandbox`, gameSecret: 'upstream-sandbox-secret' };
}

/** How often the service executed a route for one key, order, transaction or entry, and how often it was called. `kind`: the name of the route. */
interface ExecutionCount {
  kind: string;
  subject: string;
  executions: number;
  calls: number;
}

/** A game with people who request and approve, and what they do. */
export interface ActionEnvironment extends TestEnvironment {
  context: GameContext;
  people: Record<'sam' | 'sara' | 'fiona' | 'gus', Actor>;
  /** Requests an action as a person does who sees the form now. */
  request(actor: Actor, target: ActionTarget, changed?: Partial<ActionForm>, inGame?: GameContext): Promise<RequestResult>;
  press(actor: Actor, actionId: number, sender?: Sender, entered?: string, phone?: string): Promise<SendResult>;
  find(actionId: number): Promise<ActionDetails>;
  /** Does what is due, as the worker does. */
  settle(): Promise<void>;
  /** Makes every time the store waits for come now. */
  makeDue(): Promise<void>;
  /** How often the service executed a route, by what it is about, and how often it was called; without one: of all. */
  executed(route?: string): Promise<ExecutionCount[]>;
  /** Every secret that the service gave since it was reset. */
  secretsGiven(): Promise<string[]>;
}

/** The people of the game, by name. */
const ROLES = { sam: 'support', sara: 'support', fiona: 'finance', gus: 'finance' } as const satisfies Record<string, Role>;
const emailOf = (name: string): string => `${name}@studio.example`;

/** Opens an environment whose players were looked up, as support does first. */
export async function openActionEnvironment(options: UpstreamOptions = {}, isSandbox = false): Promise<ActionEnvironment> {
  const openContext = async (testEnv: TestEnvironment): Promise<GameContext> => {
    const config: GameConfig = isSandbox ? { ...testEnv.config, ...sandboxOf(testEnv) } : testEnv.config;
    return { game: await testEnv.game(config), config };
  };
  const prepare = async (testEnv: TestEnvironment): Promise<void> => {
    const context = await openContext(testEnv);
    for (const email of ['mira.holt', 'asa.venn', 'bree.okoro', 'gus.hale'])
      await search(context, `${email}@players.example`, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
    for (const [name, role] of Object.entries(ROLES)) await seedPerson(testEnv.db, emailOf(name), role);
  };
  const testEnv = await openNamedEnvironment(isSandbox ? 'actions_sandbox' : 'actions', prepare, options);
  const context = await openContext(testEnv);
  if (isSandbox) await testEnv.control('POST', 'game', { environment: 'sandbox', rateLimit: false });
  const { rows } = await testEnv.pool.query<{ email: string; id: string }>('select email, id from person');
  const person = (name: keyof typeof ROLES): Actor => {
    const found = rows.find(({ email }) => email === emailOf(name));
    if (found === undefined) throw new Error(`no person ${name}`);
    return { ...found, roles: [ROLES[name]] };
  };
  const people = { sam: person('sam'), sara: person('sara'), fiona: person('fiona'), gus: person('gus') };
  const find = async (actionId: number): Promise<ActionDetails> => {
    const found = await findAction(testEnv.db, context.game.gameId, actionId);
    if (found === null) throw new Error(`no desk action ${actionId}`);
    return found;
  };
  return {
    ...testEnv,
    context,
    people,
    request: async (actor, target, changed = {}, inGame = context) => {
      const facts = await readActionFacts(inGame, target, { actor });
      const shown = facts.kind === 'facts' ? digestShown(facts.facts, protocolOf(target.kind).decidingOf) : '';
      return await requestAction(inGame, actor, { ...FORM, draftId: randomUUID(), target, shown, ...changed });
    },
    press: async (actor, actionId, sender = SENDER, entered = '', phone = '') =>
      await pressAction(context, actor, actionId, sender, entered, phone),
    find,
    settle: async () => {
      const ports = openActionPorts(context, { ...SENDER, owner: 'worker test' });
      for (let turns = 0; await advanceAction(ports); turns += 1) if (turns > 50) throw new Error('an action stays due');
    },
    makeDue: async () =>
      void (await testEnv.pool.query('update desk_action set next_look_at = clock_now() where next_look_at is not null')),
    executed: async (route) => {
      const { executed } = await testEnv.control('GET', route === undefined ? 'executed' : `executed?kind=${route}`);
      return executed as ExecutionCount[];
    },
    secretsGiven: async () => {
      const { secrets } = (await testEnv.control('GET', 'secrets')) as { secrets: { value: string }[] };
      return secrets.map(({ value }) => value);
    },
  };
}

const FORM = {
  typed: {},
  reasonCode: 'technical_fault',
  reasonText: 'The game crashed',
  ticket: 'T-1042',
  isAlikeConfirmed: false,
} as const satisfies Partial<ActionForm>;

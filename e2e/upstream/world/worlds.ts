import type { Environment, World } from '../model.ts';
import { auroraPeriods, auroraSubscriptions } from './aurora-periods.ts';
import { castMember } from './cast.ts';
import { type Cohort, cohortOf } from './cohort.ts';
import { festivalPeriods, festivalSubscriptions } from './festival-periods.ts';
import { createMonthWorld } from './month-world.ts';
import { recipientOf, referencePeriods, referenceSubscriptions } from './reference-periods.ts';
import { regularPeriods, withGaps } from './regular-periods.ts';
import { supportPeriods, supportPeriodsOf, supportPlayer, supportStartMonth, supportSubscriptions } from './support-cases.ts';
import { SANDBOX_PEOPLE, SUPPORT_PEOPLE } from './support-people.ts';
import { volumePlan } from './volume-plans.ts';
import { createVolumeWorld } from './volume-world.ts';
import { createWalletWorld } from './wallet-world.ts';

const JANUARY_2024 = 2024 * 12;
const REGULAR_SLOTS = 1000;
const FESTIVAL_SLOTS = 6000;
const AURORA_SLOTS = 7000;
const SANDBOX_SLOTS = 5000;

const GUILDS: Cohort = {
  seed: 'fan',
  size: (month) => clamp(24 + Math.floor((month - JANUARY_2024) / 2), 18, 52),
  creators: (month) => clamp(50 + Math.floor((month - JANUARY_2024) / 3), 44, 68),
};
const TEST_PLAYERS: Cohort = { seed: 'test', size: () => 2, creators: () => 8 };

/** The production game: regular subscriptions, hand-written reference cases on day 1, festival passes, Aurora Vale's October and support's cases. */
export function createDemoWorld(): World {
  return createMonthWorld({
    gameId: '41207',
    periods: (month) => [
      ...referencePeriods(month),
      ...withGaps(regularPeriods(GUILDS, month, REGULAR_SLOTS)),
      ...festivalPeriods(month, FESTIVAL_SLOTS),
      ...auroraPeriods(month, AURORA_SLOTS),
      ...supportPeriods(month),
    ],
    started: (month) => [
      ...referenceSubscriptions(month),
      ...cohortOf(GUILDS, month).map(({ subscription }) => subscription),
      ...festivalSubscriptions(month),
      ...auroraSubscriptions(month),
      ...supportSubscriptions(month),
    ],
    recipient: recipientOf,
    player: supportPlayer,
    people: () => Object.values(SUPPORT_PEOPLE),
    startMonthOf: supportStartMonth,
    periodsOf: supportPeriodsOf,
    refundMonthsMax: 3,
  });
}

/** The sandbox game: few lines and three of support's people, with ids the production game never uses. */
function createSandboxWorld(): World {
  return createMonthWorld({
    gameId: '90417',
    periods: (month) => regularPeriods(TEST_PLAYERS, month, SANDBOX_SLOTS),
    started: (month) => cohortOf(TEST_PLAYERS, month).map(({ subscription }) => subscription),
    recipient: castMember,
    player: (email) => SANDBOX_PEOPLE.find((person) => person.email === email) ?? null,
    people: () => [...SANDBOX_PEOPLE],
    startMonthOf: () => null,
    periodsOf: () => null,
    refundMonthsMax: 3,
  });
}

/** The game whose players receive transfers of the production game; it sells nothing. */
function createEmberfallWorld(): World {
  return createMonthWorld({
    gameId: '41300',
    periods: () => [],
    started: () => [],
    recipient: castMember,
    player: supportPlayer,
    startMonthOf: () => null,
    periodsOf: () => null,
    refundMonthsMax: 3,
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

let demo: World | null = null;
let sandbox: World | null = null;
let emberfall: World | null = null;

/**
 * The worlds of all games: `demo`, `wallets` (or `wallets:<count>`), or a volume world by name for production. Worlds never change, so all servers share
 * the demo's.
 */
export function openWorlds(name: string): Record<Environment, World> {
  sandbox ??= createSandboxWorld();
  emberfall ??= createEmberfallWorld();
  const wallets = /^wallets(?::(\d{1,6}))?$/.exec(name);
  if (wallets !== null) return { production: createWalletWorld(Number(wallets[1] ?? 120_000)), sandbox, emberfall };
  if (name !== 'demo') return { production: createVolumeWorld(volumePlan(name)), sandbox, emberfall };
  demo ??= createDemoWorld();
  return { production: demo, sandbox, emberfall };
}

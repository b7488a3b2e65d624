import type { Environment, World } from '../model.ts';
import { auroraCycles, auroraSubscriptions } from './aurora-cycles.ts';
import { castMember } from './cast.ts';
import { type Cohort, cohortOf } from './cohort.ts';
import { festivalCycles, festivalSubscriptions } from './festival-cycles.ts';
import { createMonthWorld } from './month-world.ts';
import { recipientOf, witnessCycles, witnessSubscriptions } from './reference-cycles.ts';
import { regularCycles, withGaps } from './regular-cycles.ts';
import { deskBegunIn, deskCycles, deskCyclesOf, deskPlayer, deskSubscriptions } from './support-cases.ts';
import { volumePlan } from './volume-plans.ts';
import { createVolumeWorld } from './volume-world.ts';

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

/** The production game: regular life, hand-written witnesses on day 1, festivals and Aurora Vale's October. */
export function createDemoWorld(): World {
  return createMonthWorld({
    gameId: '41207',
    cycles: (month) => [
      ...witnessCycles(month),
      ...withGaps(regularCycles(GUILDS, month, REGULAR_SLOTS)),
      ...festivalCycles(month, FESTIVAL_SLOTS),
      ...auroraCycles(month, AURORA_SLOTS),
      ...deskCycles(month),
    ],
    begun: (month) => [
      ...witnessSubscriptions(month),
      ...cohortOf(GUILDS, month).map(({ subscription }) => subscription),
      ...festivalSubscriptions(month),
      ...auroraSubscriptions(month),
      ...deskSubscriptions(month),
    ],
    recipient: recipientOf,
    player: deskPlayer,
    begunOf: deskBegunIn,
    cyclesOf: deskCyclesOf,
    refundMonthsMax: 3,
  });
}

/** The sandbox game: a thin life of its own, with ids the production game never uses. */
export function createSandboxWorld(): World {
  return createMonthWorld({
    gameId: '90417',
    cycles: (month) => regularCycles(TEST_PLAYERS, month, SANDBOX_SLOTS),
    begun: (month) => cohortOf(TEST_PLAYERS, month).map(({ subscription }) => subscription),
    recipient: castMember,
    player: () => null,
    begunOf: () => null,
    cyclesOf: () => null,
    refundMonthsMax: 3,
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

let demo: World | null = null;
let sandbox: World | null = null;

/** Both games' worlds: `demo`, or a volume world by name in place of the production one. Worlds never change, so servers share the demo's. */
export function openWorlds(name: string): Record<Environment, World> {
  sandbox ??= createSandboxWorld();
  if (name !== 'demo') return { production: createVolumeWorld(volumePlan(name)), sandbox };
  demo ??= createDemoWorld();
  return { production: demo, sandbox };
}

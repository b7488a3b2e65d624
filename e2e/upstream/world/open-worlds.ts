import type { Environment, World } from '../model.ts';
import { createDemoWorld, createSandboxWorld } from './demo-world.ts';
import { createVolumeWorld } from './volume-world.ts';
import { volumePlan } from './volume-plans.ts';

/** Both games' worlds: `demo`, or a volume world by name in place of the production one. */
export function openWorlds(name: string): Record<Environment, World> {
  return { production: name === 'demo' ? createDemoWorld() : createVolumeWorld(volumePlan(name)), sandbox: createSandboxWorld() };
}

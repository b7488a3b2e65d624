import type { Environment, World } from '../model.ts';
import { createDemoWorld, createSandboxWorld } from './demo-world.ts';
import { volumePlan } from './volume-plans.ts';
import { createVolumeWorld } from './volume-world.ts';

let demo: World | null = null;
let sandbox: World | null = null;

/** Both games' worlds: `demo`, or a volume world by name in place of the production one. Worlds never change, so servers share the demo's. */
export function openWorlds(name: string): Record<Environment, World> {
  sandbox ??= createSandboxWorld();
  if (name !== 'demo') return { production: createVolumeWorld(volumePlan(name)), sandbox };
  demo ??= createDemoWorld();
  return { production: demo, sandbox };
}

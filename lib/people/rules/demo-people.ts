import type { Role } from '#lib/core/roles.ts';

export interface DemoPerson {
  email: string;
  name: string;
  role: Role;
}

/** The people of the simulated data, one per role. Finance comes first because it is the main job. */
export const DEMO_PEOPLE: DemoPerson[] = [
  { email: 'finance@starfall.example', name: 'Fiona Hale', role: 'finance' },
  { email: 'support@starfall.example', name: 'Sami Okafor', role: 'support' },
  { email: 'auditor@starfall.example', name: 'Anton Reyes', role: 'auditor' },
  { email: 'viewer@starfall.example', name: 'Vera Lind', role: 'viewer' },
  { email: 'admin@starfall.example', name: 'Ada Moreau', role: 'admin' },
];

/** The password of every demo person. Demo people exist in a simulated database only. */
export const DEMO_PASSWORD = 'simulated data only';

import type { Role } from '#lib/core/roles.ts';

export interface DemoPerson {
  email: string;
  name: string;
  role: Role;
}

/** Who may look around in simulated data, one of each role. Finance comes first: it is the main job. */
export const DEMO_PEOPLE: DemoPerson[] = [
  { email: 'finance@starfall.example', name: 'Fiona Hale', role: 'finance' },
  { email: 'support@starfall.example', name: 'Sami Okafor', role: 'support' },
  { email: 'auditor@starfall.example', name: 'Anton Reyes', role: 'auditor' },
  { email: 'viewer@starfall.example', name: 'Vera Lind', role: 'viewer' },
  { email: 'admin@starfall.example', name: 'Ada Moreau', role: 'admin' },
];

/** Everybody's password in simulated data. It opens nothing else: demo people exist in a simulated database only. */
export const DEMO_PASSWORD = 'simulated data only';

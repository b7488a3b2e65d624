/** The demo people, written out here so that the tests share no code with what they test. */
export const DEMO = {
  finance: { name: 'Fiona Hale', email: 'finance@starfall.example', label: 'Finance' },
  support: { name: 'Sami Okafor', email: 'support@starfall.example', label: 'Support' },
  auditor: { name: 'Anton Reyes', email: 'auditor@starfall.example', label: 'Auditor' },
  viewer: { name: 'Vera Lind', email: 'viewer@starfall.example', label: 'Viewer' },
  admin: { name: 'Ada Moreau', email: 'admin@starfall.example', label: 'Admin' },
};
export type DemoRole = keyof typeof DEMO;
export const ROLES = Object.keys(DEMO) as DemoRole[];

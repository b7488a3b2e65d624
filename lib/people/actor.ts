import type { Role } from '../core/roles.ts';

/** Who acts, as the session says. */
export interface Actor {
  id: string;
  email: string;
  role: Role;
}

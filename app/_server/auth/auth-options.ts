import 'server-only';
import type { BetterAuthOptions } from 'better-auth';
import type { Db } from '#db/kit/open.ts';
import { ROLES } from '#lib/core/roles.ts';
import { hashPassword, verifyPassword } from '#lib/people/password.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#lib/people/rules/person.ts';
import { authStore } from './auth-store.ts';

const SESSION_SECONDS = 8 * 60 * 60;

/** How the sign-in library is set up: our tables and columns, our hashes, sessions of eight hours that nothing prolongs, no self-service. */
export function authOptions({ db, origin, secret }: { db: Db; origin: string; secret: string }) {
  return {
    appName: 'Sharebook',
    baseURL: origin,
    trustedOrigins: [origin],
    secret,
    database: authStore(db),
    telemetry: { enabled: false },
    logger: { disabled: true },
    // It counts requests to its own routes, and none is mounted: attempts to sign in are counted by the action.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: { hash: hashPassword, verify: ({ hash, password }: { hash: string; password: string }) => verifyPassword(hash, password) },
    },
    user: {
      modelName: 'person',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        role: { type: [...ROLES], required: true, input: false },
        disabledAt: { type: 'date', fieldName: 'disabled_at', required: false, input: false },
      },
    },
    session: {
      modelName: 'person_session',
      fields: SESSION_COLUMNS,
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    databaseHooks: { session: { create: { before: async ({ userId }: { userId: string }) => await isAllowedIn(db, userId) } } },
    account: { modelName: 'credential', fields: CREDENTIAL_COLUMNS },
    advanced: {
      cookiePrefix: 'sharebook',
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { disableIpTracking: true },
      // Its check wants columns of ways to sign in that we do not offer.
      database: { validateSchema: false },
    },
  } as const satisfies BetterAuthOptions;
}

const SESSION_COLUMNS = {
  userId: 'person_id',
  expiresAt: 'expires_at',
  ipAddress: 'ip_address',
  userAgent: 'user_agent',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};
const CREDENTIAL_COLUMNS = {
  userId: 'person_id',
  providerId: 'provider_id',
  accountId: 'account_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Somebody disabled gets no session, and the same answer as for a wrong password. */
async function isAllowedIn(db: Db, personId: string): Promise<boolean> {
  const person = await db.selectFrom('person').select('disabled_at').where('id', '=', personId).executeTakeFirst();
  return person?.disabled_at === null;
}

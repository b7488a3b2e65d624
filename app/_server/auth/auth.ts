import 'server-only';
import { betterAuth } from 'better-auth';
import { nextCookies } from 'better-auth/next-js';
import { ROLES } from '../../../lib/domain/roles.ts';
import { hashPassword, verifyPassword } from '../../../lib/operations/people/password.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../../lib/operations/people/password-length.ts';
import { config, db } from '../wiring.ts';
import { authStore } from './auth-store.ts';

const SESSION_SECONDS = 8 * 60 * 60;
let kept: ReturnType<typeof createAuth> | undefined;

/** Sessions and passwords. Its HTTP routes are mounted nowhere: sign-in and sign-out are our own actions, counted and checked there. */
export function auth(): ReturnType<typeof createAuth> {
  return (kept ??= createAuth());
}

function createAuth() {
  const { origin } = config();
  return betterAuth({
    appName: 'Sharebook',
    baseURL: origin,
    trustedOrigins: [origin],
    secret: readSecret(),
    database: authStore(db()),
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
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
    databaseHooks: { session: { create: { before: async ({ userId }) => await isAllowedIn(userId) } } },
    account: { modelName: 'credential', fields: CREDENTIAL_COLUMNS },
    advanced: {
      cookiePrefix: 'sharebook',
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { disableIpTracking: true },
      database: { validateSchema: false },
    },
    plugins: [nextCookies()],
  });
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
async function isAllowedIn(personId: string): Promise<boolean> {
  const person = await db().selectFrom('person').select('disabled_at').where('id', '=', personId).executeTakeFirst();
  return person?.disabled_at === null;
}

function readSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32) throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` makes and keeps one.');
  return secret;
}

import 'server-only';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth';
import type { DBAdapter, Where } from 'better-auth/adapters';
import { APIError, createAuthEndpoint, isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { nextCookies } from 'better-auth/next-js';
import { headers } from 'next/headers';
import { z } from 'zod';
import { recordAudit } from '#db/audit/writes.ts';
import type { Db } from '#db/kit/open.ts';
import { findKnownEmail } from '#db/people/reads.ts';
import { deleteEndedSessions } from '#db/people/writes.ts';
import { BusyError, hashPassword, verifyPassword } from '#lib/people/password.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#lib/people/rules/person.ts';
import { beginSecondStep } from './second-step.ts';
import { digestToken, readAuthSecret } from './signed-in.ts';
import { config, db } from './wiring.ts';

let kept: ReturnType<typeof createAuth> | undefined;

/** The sign-in library. Its HTTP routes are not mounted: sign-in and sign-out are our own actions, which count and check. */
export function auth(): ReturnType<typeof createAuth> {
  return (kept ??= createAuth());
}

function createAuth() {
  return betterAuth({
    ...authOptions({ db: db(), origin: config().origin, secret: readAuthSecret() }),
    plugins: [SECOND_STEP, nextCookies()],
  });
}

/**
 * How a sign-in ended. `refused` for a wrong email, a wrong password and a disabled person alike; `busy`: nothing was checked; `code_needed`: the
 * password was right and the person has a second factor, so there is no session yet.
 */
type SignInEnd = 'opened' | 'refused' | 'busy' | 'code_needed';

/** Signs a person in and sets the cookie; where they have a second factor, their browser gets the token of the second step instead. */
export async function openSession(email: string, password: string): Promise<SignInEnd> {
  const given = { body: { email, password }, headers: await headers() };
  const end = await recordSignIn(db(), email, () => auth().api.signInEmail(given));
  if (end === 'code_needed') await beginSecondStep(email);
  return end;
}

/** Signs in a person whose password and code were right, and sets the cookie; refused when they were disabled in between. */
export async function openSecondSession(person: { personId: string; email: string }, by: string): Promise<SignInEnd> {
  const given = { body: { personId: person.personId }, headers: await headers() };
  return await recordSignIn(db(), person.email, () => auth().api.openSecondSession(given), { second_factor: by });
}

/** Signs in and records how it ended; a refusal without the email where nobody has it: it may be a password typed into the wrong field. */
export async function recordSignIn(
  db: Db,
  email: string,
  signIn: () => Promise<unknown>,
  detail: Record<string, string> = {},
): Promise<SignInEnd> {
  try {
    await signIn();
  } catch (error) {
    if (error instanceof BusyError) return 'busy';
    if (!isAPIError(error) || error.statusCode >= 500) throw error;
    if (error.body?.code === CODE_NEEDED) return 'code_needed';
    const known = await findKnownEmail(db, email.toLowerCase());
    await recordAudit(db, { actor: known ?? 'unknown person', act: 'failed to sign in', subject: 'Sharebook' });
    return 'refused';
  }
  await deleteEndedSessions(db);
  await recordAudit(db, { actor: email.toLowerCase(), act: 'signed in', subject: 'Sharebook', detail });
  return 'opened';
}

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
    },
    session: {
      modelName: 'person_session',
      fields: SESSION_COLUMNS,
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }: { userId: string }, context: { path?: string } | null) =>
            await isAllowedIn(db, userId, context?.path ?? ''),
        },
      },
    },
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

/** The code of the refusal to open a session by the password alone. */
const CODE_NEEDED = 'CODE_NEEDED';
const SECOND_STEP_PATH = '/sign-in/second-step';

/**
 * Whether a session may be made. A disabled person gets none, and the same answer as for a wrong password. Who has a second factor gets one by the second
 * step alone: whatever else makes sessions is refused, and the password was right by then.
 */
async function isAllowedIn(db: Db, personId: string, path: string): Promise<boolean> {
  const person = await db
    .selectFrom('person')
    .leftJoin('second_factor', 'second_factor.person_id', 'person.id')
    .select(['disabled_at', 'confirmed_at'])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (person?.disabled_at !== null) return false;
  if (person.confirmed_at !== null && path !== SECOND_STEP_PATH) throw new APIError('UNAUTHORIZED', { code: CODE_NEEDED });
  return true;
}

/** The second step of a sign-in: makes the session of a person whose password and code our action has checked. It is no route. */
export const SECOND_STEP = {
  id: 'second-step',
  endpoints: {
    openSecondSession: createAuthEndpoint(
      SECOND_STEP_PATH,
      { method: 'POST', body: z.object({ personId: z.string() }), metadata: { SERVER_ONLY: true } },
      async (context) => {
        const store = context.context.internalAdapter;
        const user = await store.findUserById(context.body.personId);
        const session = user && (await store.createSession(user.id));
        if (!session) throw new APIError('UNAUTHORIZED', { code: 'REFUSED' });
        await setSessionCookie(context, { session, user });
        return context.json({ isOpen: true });
      },
    ),
  },
} satisfies BetterAuthPlugin;

type Store = Omit<DBAdapter, 'transaction'>;
type Row = Record<string, unknown>;
interface Request {
  model: string;
  where?: Where[] | undefined;
}

/**
 * Where the sign-in library keeps people and sessions: our tables. Two things differ from the library's own store: the token of a
 * session is kept as its SHA-256 only, and instants, which our connections hand over as text, are given to it as dates.
 */
function authStore(db: Db): (options: BetterAuthOptions) => DBAdapter {
  const open = kyselyAdapter(db, { type: 'postgres', transaction: true });
  return (options) => {
    const store = open(options);
    return { ...wrap(store), transaction: (work) => store.transaction((inner) => work(wrap(inner))) };
  };
}

function wrap<Inner extends Store>(store: Inner): Inner {
  const reads = {
    findOne: async (request: Parameters<Store['findOne']>[0]) => restore(await store.findOne<Row>(hashWhere(request)), request),
    findMany: async (request: Parameters<Store['findMany']>[0]) =>
      (await store.findMany<Row>(hashWhere(request))).map((row) => restore(row, request)),
    count: (request: Parameters<Store['count']>[0]) => store.count(hashWhere(request)),
    consumeOne: async (request: Parameters<Store['consumeOne']>[0]) => restore(await store.consumeOne<Row>(hashWhere(request)), request),
  };
  const writes = {
    create: async (request: Parameters<Store['create']>[0]) => {
      const row = await store.create<Row, Row>({ ...request, data: hashToken(request.model, request.data) });
      return { ...withDates(row), ...(request.model === 'session' ? { token: request.data.token as string } : {}) };
    },
    update: async (request: Parameters<Store['update']>[0]) =>
      restore(await store.update<Row>({ ...hashWhere(request), update: hashToken(request.model, request.update) }), request),
    updateMany: (request: Parameters<Store['updateMany']>[0]) =>
      store.updateMany({ ...hashWhere(request), update: hashToken(request.model, request.update) }),
    delete: (request: Parameters<Store['delete']>[0]) => store.delete(hashWhere(request)),
    deleteMany: (request: Parameters<Store['deleteMany']>[0]) => store.deleteMany(hashWhere(request)),
  };
  // The library types each answer by its caller; rows are the store's own, only token and instants are put back.
  return { ...store, ...reads, ...writes } as unknown as Inner;
}

function hashWhere<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  const where = request.where.map((clause) => (clause.field === 'token' ? { ...clause, value: digestValue(clause.value) } : clause));
  return { ...request, where };
}

function digestValue(value: Where['value']): Where['value'] {
  if (Array.isArray(value)) return value.map((each) => digestToken(String(each)));
  return typeof value === 'string' ? digestToken(value) : value;
}

function hashToken<Data extends Row>(model: string, row: Data): Data {
  return model === 'session' && typeof row.token === 'string' ? { ...row, token: digestToken(row.token) } : row;
}

/** The row with dates, and under the token it was asked for by. */
function restore(row: Row | null, request: Request): Row | null {
  if (!row) return null;
  const asked = request.model === 'session' ? request.where?.find((clause) => clause.field === 'token')?.value : undefined;
  const token = [asked].flat().find((each) => typeof each === 'string' && digestToken(each) === row.token);
  return { ...withDates(row), ...(token === undefined ? {} : { token }) };
}

function withDates(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, isRow(value) ? withDates(value) : asDate(key, value)]));
}

function asDate(key: string, value: unknown): unknown {
  return key.endsWith('At') && typeof value === 'string' ? new Date(value) : value;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

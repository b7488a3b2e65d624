import * as z from 'zod';
import { classifyByCode, classifyForAll, idOf, isRawRefusal, textOf } from './answers.ts';
import { MILESTONE_EVENTS, parseMilestoneName } from './kinds.ts';
import type { AnswerClass, Fields, Observed } from './protocol.ts';
import { EVENT_NUMBER, EVENT_VALUE } from './typed-entries.ts';

/** `value`: a number where one was typed, else the typed text; null: none. */
export const eventRequest = z.object({
  event_type: z.enum(MILESTONE_EVENTS),
  name: z.string().refine((text) => parseMilestoneName(text) === text),
  value: z
    .union([
      z.number().refine((value) => EVENT_NUMBER.test(String(value))),
      z
        .string()
        .regex(EVENT_VALUE)
        .transform((text) => (EVENT_NUMBER.test(text) ? Number(text) : text)),
    ])
    .nullable()
    .default(null),
  /** In UTC to the second, so that every repeat reports the same instant. */
  occurred_at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    .refine(isOnCalendar),
});

/** Whether an instant to the second exists: of 31 February a date would be made. */
function isOnCalendar(instant: string): boolean {
  const time = Date.parse(instant);
  return !Number.isNaN(time) && new Date(time).toISOString() === instant.replace('Z', '.000Z');
}

type EventRequest = z.infer<typeof eventRequest>;

/** The listed fields of an answer to an event: the documents show none. */
type Recorded = { status: string | null; event_id: string | null };

/** Codes that say that nothing was recorded (document 1, server event route refusals). */
const CODES = {
  INVALID_BODY: 'refused',
  MISSING_PLAYER_EMAIL: 'refused',
  MISSING_EVENT_TYPE: 'refused',
  EVENT_TYPE_NOT_ALLOWED: 'refused',
  RESERVED_EVENT_TYPE: 'refused',
  INVALID_EVENT_ID: 'refused',
  INVALID_OCCURRED_AT: 'refused',
  INVALID_PAYLOAD: 'refused',
  INVALID_SURFACE_ID: 'refused',
  PLAYER_NOT_FOUND: 'refused',
  validation_failed: 'refused',
} as const satisfies Record<string, AnswerClass>;

/** The field of the payload that has the name (document 1, events). */
const NAME_FIELD = { 'game.milestone.reached': 'milestone_key', 'game.custom.recorded': 'event_name' } as const;

/** The body of an event; the server names the player, and a client is the player. */
export function writeEvent(
  event: EventRequest,
  { event_id, player_email }: { event_id: string | null; player_email: string | null },
): string {
  const { event_type, name, value, occurred_at } = event;
  const payload = { [NAME_FIELD[event_type]]: name, ...(value === null ? {} : { value }) };
  return JSON.stringify({ ...(player_email === null ? {} : { player_email }), event_type, event_id, occurred_at, payload });
}

/** Reads the listed fields of an answer to an event. */
export function pickRecorded({ status, event_id }: Fields): { answer: Recorded; passes: null } {
  return { answer: { status: textOf(status), event_id: idOf(event_id) }, passes: null };
}

/** The class of an answer to an event, by its status before its code (document 1, Server event route refusals). */
export function classifyRecorded(observed: Observed<Recorded>, reference: string | null): AnswerClass {
  const { phase, status, codes, answer } = observed;
  const named = answer?.event_id ?? null;
  const isOfAnother = named !== null && reference !== null && named.toLowerCase() !== reference.toLowerCase();
  if (isOfAnother && status !== null && status >= 200 && status < 300) return 'contradiction';
  // The documents show no body: the status alone says that it is recorded.
  if (phase !== 'not_sent' && status === 202) return 'done';
  const forAll = classifyForAll(observed, 'loyalty_event');
  if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
  if (status === 409) return 'refused';
  if (status === 429) return 'not_now';
  const byCode = classifyByCode(codes, 'loyalty_event', CODES);
  if (status >= 200 && status < 300) return codes.length === 0 ? 'done' : 'open';
  return isRawRefusal(status) ? (byCode ?? 'refused') : 'open';
}

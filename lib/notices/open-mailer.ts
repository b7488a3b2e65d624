import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { MailOutcome } from './rules/notice-kinds.ts';

/** A mail server, and who emails come from. */
export interface MailServer {
  /** smtp: or smtps:, with user and password if it requires them. */
  url: string;
  from: string;
}

interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for each attempt, so that a repeated email is recognised. */
  messageId: string;
}

export interface Mailer {
  /** Sends one email; never throws. */
  send(mail: Mail): Promise<MailOutcome>;
  /** Why the server can't be used, as its reply code or an error code; null: it can. Sends nothing. */
  check(): Promise<string | null>;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;

/** Opens a mail server. Each email has a connection of its own, so nothing has to be closed. */
export function openMailer({ url, from }: MailServer): Mailer {
  const timeouts = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS, socketTimeout: ANSWER_MS };
  const open = (): ReturnType<typeof createTransport> => createTransport({ url, ...timeouts });
  return {
    send: async (mail) => {
      let hasStarted = false;
      const transport = open();
      // The message is read once the server is ready for it: until then nothing can have been accepted.
      transport.use('stream', ({ message }, done) => {
        const create = message.createReadStream.bind(message);
        message.createReadStream = () =>
          Readable.from(
            whenRead(create, () => {
              hasStarted = true;
            }),
            { objectMode: false },
          );
        done();
      });
      try {
        await transport.sendMail({ ...mail, from });
        return { state: 'sent' };
      } catch (error) {
        return outcomeOf(error, hasStarted);
      }
    },
    check: async () => {
      try {
        await open().verify();
        return null;
      } catch (error) {
        return codeOf(error);
      }
    },
  };
}

async function* whenRead(create: () => AsyncIterable<Uint8Array>, onRead: () => void): AsyncGenerator<Uint8Array> {
  onRead();
  yield* create();
}

/**
 * What a failed attempt means. A reply decides: a refusal of the address or the message for good is final, any other may pass. Without a reply after the
 * message began, the server may have accepted it.
 */
function outcomeOf(error: unknown, hasStarted: boolean): Exclude<MailOutcome, { state: 'sent' }> {
  const { command, responseCode } = repliesOf(error);
  const isReply = responseCode !== null && command !== 'CONN';
  const code = codeOf(error);
  if (!isReply) return { state: hasStarted ? 'unknown' : 'later', error: code };
  return { state: responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA') ? 'refused' : 'later', error: code };
}

/** A code alone: what the server says may name a person. */
function codeOf(error: unknown): string {
  const { code, responseCode } = repliesOf(error);
  return responseCode === null ? code : String(responseCode);
}

function repliesOf(error: unknown): { code: string; command: string | null; responseCode: number | null } {
  const found: Record<string, unknown> = error instanceof Error ? { ...error } : {};
  return {
    code: typeof found['code'] === 'string' ? found['code'] : 'error',
    command: typeof found['command'] === 'string' ? found['command'] : null,
    responseCode: typeof found['responseCode'] === 'number' ? found['responseCode'] : null,
  };
}

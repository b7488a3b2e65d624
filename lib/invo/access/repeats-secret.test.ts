import { afterEach, expect, it } from 'vitest';
import { createInvoClient } from '../client.ts';
import { InvoError } from '../invo-error.ts';
import { type CannedServer, newDiary, patientSettings, sendJson, startCannedServer } from '../testing/canned-server.ts';
import { sampleReport, sampleWindow } from '../testing/sample-answers.ts';

const SECRET = 'canary"with/odd\\signs';
let server: CannedServer | undefined;
afterEach(() => server?.close());

it('refuses an answer that repeats the secret, and keeps none of its bytes', async () => {
  server = await startCannedServer((_, response) => sendJson(response, 200, { ...(sampleReport() as object), echo: { header: SECRET } }));
  const access = { baseUrl: server.url, secret: SECRET, environment: 'production' } as const;
  const client = createInvoClient({ ...patientSettings(server.url, newDiary()), access });
  const error = await client.attributionReport(sampleWindow).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvoError);
  expect(error).toMatchObject({ code: 'malformed', evidence: null });
});

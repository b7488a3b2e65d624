import { expect, it } from 'vitest';
import { createInvoClient } from './client.ts';
import { sendJson, startCannedServer } from './testing/canned-server.ts';
import { sampleReport, sampleWindow } from './testing/sample-answers.ts';
import { failureOf, newDiary, patientSettings } from './testing/talk-to.ts';

const SECRET = 'canary"with/odd\\signs';

it('refuses an answer that repeats the secret, and keeps none of its bytes', async () => {
  const server = await startCannedServer((_, response) =>
    sendJson(response, 200, { ...(sampleReport() as object), echo: { header: SECRET } }),
  );
  const access = { baseUrl: server.url, secret: SECRET, environment: 'production' } as const;
  const client = createInvoClient({ ...patientSettings(server.url, newDiary()), access });
  expect(await failureOf(client.attributionReport(sampleWindow))).toMatchObject({ code: 'malformed', evidence: null });
});

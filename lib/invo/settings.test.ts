import { expect, it } from 'vitest';
import { sendJson, startCannedServer } from '#e2e/support/invo/canned-server.ts';
import { sampleReport, sampleWindow } from '#e2e/support/invo/sample-answers.ts';
import { failureOf, newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { openInvo } from './open-invo.ts';
import { readAttributionReport } from './routes/attribution-report.ts';

const settings = patientSettings('https://api.invo.test', newDiary());

it.each(['http://api.invo.test', 'https://user:canary@api.invo.test', 'https://api.invo.test/?key=canary', 'http://canary@127.0.0.1'])(
  'a client with the base URL %s is refused with an error that does not repeat it',
  (baseUrl) => {
    const open = (): unknown => openInvo({ ...settings, access: { ...settings.access, baseUrl } });
    expect(open).toThrow(/base URL of Invo must be an https address/);
    expect(open).not.toThrow(/canary/);
  },
);

it.each(['', 'canary with space', 'canary\r\nX-Evil: 1', 'canary\u0000', 'canaryé'])(
  'a client with the secret %j is refused with an error that names the slot and not the secret',
  (secret) => {
    const open = (changed: object) => (): unknown => openInvo({ ...settings, access: { ...settings.access, ...changed } });
    expect(open({ secret })).toThrow(/current game secret must be/);
    expect(open({ previousSecret: secret })).toThrow(/previous game secret must be/);
    expect(open({ secret })).not.toThrow(/canary/);
  },
);

const SECRET = 'canary"with/odd\\signs';

it('an answer that repeats the secret is refused, and none of its bytes become evidence', async () => {
  const server = await startCannedServer((_, response) =>
    sendJson(response, 200, { ...(sampleReport() as object), echo: { header: SECRET } }),
  );
  const access = { baseUrl: server.url, secret: SECRET, environment: 'production' } as const;
  const invo = openInvo({ ...patientSettings(server.url, newDiary()), access });
  expect(await failureOf(readAttributionReport(invo, sampleWindow))).toMatchObject({ code: 'malformed', evidence: null });
});

import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_SUBSCRIPTION, sampleReceipt } from '#e2e/support/invo/sample-support.ts';
import { selfSigned } from '#e2e/support/invo/self-signed.ts';
import { newDiary, patientSettings } from '#e2e/support/invo/talk-to.ts';
import { openInvo } from '../open-invo.ts';
import { type RefundAnswer, sendRefund } from '../routes/send-refund.ts';

const known = selfSigned();
const servers: https.Server[] = [];
beforeAll(() => tls.setDefaultCACertificates([...tls.getCACertificates('default'), known.cert]));
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function refundOver(options: https.ServerOptions, host = 'localhost'): Promise<{ answer: RefundAnswer; bodies: string[] }> {
  const bodies: string[] = [];
  const server = https.createServer(options, (request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sampleReceipt())));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const invo = openInvo(patientSettings(`https://${host}:${port}`, newDiary()));
  const answer = await sendRefund(invo, { subscriptionId: SAMPLE_SUBSCRIPTION, body: Buffer.from('{"a":1}') });
  return { answer, bodies };
}

describe('a refund over TLS', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('a refund over TLS is sent once the handshake is complete (%s)', async (maxVersion) => {
    const { answer, bodies } = await refundOver({ ...known, maxVersion });
    expect(answer).toMatchObject({ phase: 'answered', receipt: { transaction_id: 'TX_R1' } });
    expect(bodies).toEqual(['{"a":1}']);
  });
  it('a refund over TLS is not sent to an unknown certificate, nor to another host with a known one', async () => {
    const notSent = { phase: 'not_sent', transportError: 'unreachable', status: null };
    const stranger = await refundOver(selfSigned());
    expect(stranger).toMatchObject({ answer: notSent, bodies: [] });
    const other = await refundOver(known, '127.0.0.1');
    expect(other).toMatchObject({ answer: notSent, bodies: [] });
  });
  it('a refund over TLS counts as sent when the other side refuses after the handshake was complete here', async () => {
    const { answer, bodies } = await refundOver({ ...known, requestCert: true, maxVersion: 'TLSv1.3', minVersion: 'TLSv1.3' });
    expect(answer).toMatchObject({ phase: 'sent', transportError: 'unreachable' });
    expect(bodies).toEqual([]);
  });
});

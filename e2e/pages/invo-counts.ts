import { control } from './simulated-invo.ts';

/** Every secret that Invo gave, and the field it was in. */
export async function readGivenSecrets(): Promise<{ kind: string; value: string }[]> {
  return ((await control('secrets', {}, 'GET')) as { secrets: { kind: string; value: string }[] }).secrets;
}

/** Routes that move coins, reserve them, or show a code. */
const ONCE = /^(send|transfer)-approve$|^initiate-|^(claim-transfer|confirm-receipt|redeem|checkout|purchase|item-sale|confirm-payment)$/;

/** What Invo executed more than once of what happens once, and calls that no integrator should make; each by its route. */
export async function listWrongCounts(): Promise<string[]> {
  const { executed } = (await control('executed', {}, 'GET')) as { executed: { kind: string; subject: string; executions: number }[] };
  const wrong = executed.filter(({ kind, executions }) => kind === 'forbidden' || (ONCE.test(kind) && executions > 1));
  return wrong.map(({ kind, subject }) => `${kind} ${subject}`);
}

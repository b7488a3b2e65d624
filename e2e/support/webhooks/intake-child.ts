import pg from 'pg';
import { readConfig } from '#lib/config.ts';
import { openIntakes } from '#lib/start/intakes.ts';
import { receiveDelivery } from '#lib/webhooks/receive-delivery.ts';
import { type KILLED, serveIntake } from './serve-intake.ts';

/** The statement at which this process kills itself, counted from 1; 0: none. */
export interface KillPoint {
  at: number;
  when: (typeof KILLED)[number];
}

const point = JSON.parse(process.argv[2] ?? '{"at":0,"when":"before"}') as KillPoint;
const intake = openIntakes(readConfig(process.env)).find('demo');
if (intake === null) throw new Error('the game is not configured');
const statements = countStatements();
const served = await serveIntake(
  (delivery) => receiveDelivery(intake, delivery),
  () => statements,
);
process.stdout.write(`${served.url}\n`);

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/** Names every statement of this process as it is sent, and kills the process at the requested one. */
function countStatements(): string[] {
  const names: string[] = [];
  const original = pg.Client.prototype.query as unknown as Query;
  const query = function (this: pg.Client, ...args: unknown[]): unknown {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : String((statement as { text?: string } | null)?.text);
    names.push(text.replaceAll(/\s+/g, ' ').trim().slice(0, 60));
    if (names.length !== point.at) return original.apply(this, args);
    if (point.when === 'before') die();
    // What is written goes out with the next tick.
    if (point.when === 'sent') setImmediate(die);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const dying: Callback = (...answer) => (point.when === 'after' ? die() : (callback as Callback)(...answer));
      return original.apply(this, [...args.slice(0, -1), dying]);
    }
    const answered = original.apply(this, args);
    return point.when === 'after' && answered instanceof Promise ? answered.then(die) : answered;
  };
  Object.assign(pg.Client.prototype, { query });
  return names;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

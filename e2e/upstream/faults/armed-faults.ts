import { BODY_FAULTS, FAULT_NAMES, type Fault, type FaultMatch, WIRE_FAULTS } from './fault.ts';

const KINDS: readonly string[] = [...WIRE_FAULTS, ...BODY_FAULTS, ...Object.keys(FAULT_NAMES)];

interface FaultTarget {
  route: string | null;
  method: string;
  environment: string;
  query: URLSearchParams;
  path: string;
  clientRequestId: string | null;
}

export interface ArmedFaults {
  arm(faults: Fault[]): void;
  /** The fault for this answer, counted as used; the one armed first comes first. */
  take(target: FaultTarget): Fault | null;
  /** Arms a fault again that could not be applied. */
  rearm(fault: Fault): void;
  all(): Fault[];
  clear(): void;
}

/** The faults that wait for a matching call. */
export function createArmedFaults(): ArmedFaults {
  let armed: { fault: Fault; left: number }[] = [];
  return {
    arm(faults): void {
      for (const fault of faults) {
        if (!KINDS.includes(fault.kind)) throw new Error(`no such fault: ${String(fault.kind)}`);
        armed.push({ fault, left: fault.times ?? 1 });
      }
    },
    take(target): Fault | null {
      const found = armed.find(({ fault, left }) => left > 0 && fits(fault.match ?? {}, target));
      if (found === undefined) return null;
      found.left -= 1;
      return found.fault;
    },
    rearm(fault): void {
      const entry = armed.find((each) => each.fault === fault);
      if (entry !== undefined) entry.left += 1;
    },
    all: () => armed.filter(({ left }) => left > 0).map(({ fault, left }) => ({ ...fault, times: left })),
    clear(): void {
      armed = [];
    },
  };
}

function fits(match: FaultMatch, target: FaultTarget): boolean {
  if (match.route !== undefined && match.route !== target.route) return false;
  if (match.method !== undefined && match.method !== target.method) return false;
  if (match.environment !== undefined && match.environment !== target.environment) return false;
  if (match.offset !== undefined && String(match.offset) !== (target.query.get('offset') ?? '0')) return false;
  if (match.subscription_id !== undefined && !target.path.split('/').includes(match.subscription_id)) return false;
  if (match.client_request_id !== undefined && match.client_request_id !== target.clientRequestId) return false;
  return Object.entries(match.query ?? {}).every(([name, value]) => target.query.get(name) === value);
}

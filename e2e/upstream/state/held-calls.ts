export interface HeldCalls {
  /** Keeps a call here; true once it may go on, false when it is cut. */
  keep(): Promise<boolean>;
  /** Lets every call that is held now go on, and says how many there were. */
  release(): number;
  /** Ends every call that is held now. */
  cut(): void;
  count(): number;
}

/** The calls that wait until control lets them go on. */
export function createHeldCalls(): HeldCalls {
  let held: ((mayGoOn: boolean) => void)[] = [];
  function end(mayGoOn: boolean): number {
    const ended = held;
    held = [];
    for (const goOn of ended) goOn(mayGoOn);
    return ended.length;
  }
  return {
    keep: () => new Promise((resolve) => void held.push(resolve)),
    release: () => end(true),
    cut: () => void end(false),
    count: () => held.length,
  };
}

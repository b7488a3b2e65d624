import 'server-only';

export interface ShortCache<Value> {
  /** The kept value of a key, or a loaded one, which is kept. Calls for one key at the same time share one load. */
  read(key: string, load: () => Promise<Value | null>): Promise<Value | null>;
  /** The kept value of a key; null when there is none that still counts. */
  peek(key: string): Value | null;
  /** Forgets the values that match, or all. What is being loaded right now isn't kept. */
  forget(matches?: (value: Value) => boolean): void;
}

export interface ShortCacheOptions<Value> {
  /** Values are kept only while every change of them is heard. */
  isListening: () => boolean;
  /** How long a value may be kept. Unit: milliseconds. */
  lifeOf: (value: Value) => number;
  /** A clock that never goes back. Unit: milliseconds. */
  clock?: () => number;
}

const ENTRIES_MAX = 10_000;

/**
 * Keeps values for moments, in this process alone. A value that began to load before something was forgotten is handed to its caller and
 * not kept: it may have been read before the change that was announced.
 */
export function createShortCache<Value>({
  isListening,
  lifeOf,
  clock = () => performance.now(),
}: ShortCacheOptions<Value>): ShortCache<Value> {
  const kept = new Map<string, { value: Value; until: number }>();
  const loading = new Map<string, Promise<Value | null>>();
  let generation = 0;

  function peek(key: string): Value | null {
    const entry = kept.get(key);
    if (entry === undefined || !isListening()) return null;
    if (entry.until > clock()) return entry.value;
    kept.delete(key);
    return null;
  }

  async function load(key: string, fetchValue: () => Promise<Value | null>): Promise<Value | null> {
    const [begun_at, begunIn] = [clock(), generation];
    const value = await fetchValue();
    if (value !== null && begunIn === generation && isListening()) {
      const [oldest] = kept.keys();
      if (kept.size >= ENTRIES_MAX && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { value, until: begun_at + lifeOf(value) });
    }
    return value;
  }

  return {
    peek,
    read: async (key, fetchValue) => {
      const found = peek(key);
      if (found !== null) return found;
      if (!isListening()) return await fetchValue();

      const shared = loading.get(key);
      if (shared !== undefined) return await shared;
      const own = load(key, fetchValue).finally(() => {
        if (loading.get(key) === own) loading.delete(key);
      });
      loading.set(key, own);
      return await own;
    },
    forget: (matches) => {
      generation += 1;
      loading.clear();
      if (matches === undefined) kept.clear();
      else for (const [key, { value }] of kept) if (matches(value)) kept.delete(key);
    },
  };
}

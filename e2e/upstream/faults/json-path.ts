type Holder = Record<string, unknown>;

/** Calls `change` with the holder and the key of every place a dotted path names; `*` stands for every element. Says whether there was one. */
export function changeAt(root: unknown, path: string, change: (holder: Holder, key: string) => void): boolean {
  return walk(root, path.split('.'), change);
}

function walk(node: unknown, steps: string[], change: (holder: Holder, key: string) => void): boolean {
  const [step, ...rest] = steps;
  if (step === undefined || typeof node !== 'object' || node === null) return false;
  const holder = node as Holder;
  const keys = step === '*' ? Object.keys(holder) : step in holder ? [step] : [];
  let isFound = false;
  for (const key of keys) {
    if (rest.length > 0) {
      isFound = walk(holder[key], rest, change) || isFound;
    } else {
      change(holder, key);
      isFound = true;
    }
  }
  return isFound;
}

import { useEffect, useEffectEvent, useState } from 'react';

/** Code that is loaded when it is wanted: what opens on a press doesn't belong in what a page loads first. */
export interface WantedCode<Code> {
  /** null: not loaded yet. */
  code: Code | null;
  /** It couldn't be loaded, as after an update of Sharebook: the page must be reloaded. The next `load` tries again. */
  hasFailed: boolean;
  /** Loads it, unless it is there. */
  load: () => void;
  /** Loads it while a person is still on their way to press. */
  warm: { onPointerEnter: () => void; onFocus: () => void };
}

/**
 * Loads code by an `import()` when it is first wanted, or once `isWanted`. The inert control has its position and its look until then, so nothing
 * moves.
 */
export function useCode<Code>(importCode: () => Promise<Code>, isWanted = false): WantedCode<Code> {
  const [code, setCode] = useState<Code | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const load = (): void => {
    if (code !== null) return;
    importCode().then(
      (loaded) => {
        setFailed(false);
        setCode(loaded);
      },
      () => setFailed(true),
    );
  };
  const want = useEffectEvent(load);
  useEffect(() => {
    if (isWanted) want();
  }, [isWanted]);
  return { code, hasFailed, load, warm: { onPointerEnter: load, onFocus: load } };
}

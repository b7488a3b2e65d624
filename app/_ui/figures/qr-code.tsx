import type { ReactElement } from 'react';
import styles from './qr-code.module.css';

/** A QR code by its rows of dark modules, dark on light in both themes: many apps read no other. */
export function QrCode({ rows, label }: { rows: boolean[][]; label: string }): ReactElement {
  const size = rows.length;
  const modules = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}

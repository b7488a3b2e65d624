export interface Item {
  id: string;
  name: string;
  price: string;
}

/** What the game sells by subscription. */
export const ITEMS: readonly Item[] = [
  { id: 'season-pass', name: 'Season pass', price: '9.99' },
  { id: 'season-pass-plus', name: 'Season pass plus', price: '14.99' },
  { id: 'guild-hall', name: 'Guild hall', price: '19.99' },
  { id: 'creator-club', name: 'Creator club', price: '4.99' },
  { id: 'creator-club-gold', name: 'Creator club gold', price: '24.99' },
  { id: 'founders-circle', name: "Founder's circle", price: '49.99' },
  { id: 'stable-mounts', name: 'Stable & mounts', price: '7.49' },
  { id: 'battle-supply', name: 'Battle supply', price: '12.99' },
];

/** Sold in March and September only. */
export const FESTIVAL_ITEM: Item = { id: 'festival-pass', name: 'Festival pass', price: '29.99' };
/** Sold by the piece, so its price has four places. */
export const SPARK_ITEM: Item = { id: 'spark-bundle', name: 'Spark bundle', price: '5.0125' };

import { inject } from 'vitest';

// What steers the simulated Invo finds it by the data folder, as in browser tests; commands find the database by the settings.
const { data, settings } = inject('sharebook');
Object.assign(process.env, settings, { SHAREBOOK_DATA: data });

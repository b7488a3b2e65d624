// Stands for `server-only` in tests, where there is no browser to keep anything from.
export {};

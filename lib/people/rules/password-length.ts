/** Characters a password has at least; a sentence is easier to keep than a riddle. */
export const PASSWORD_LENGTH_MIN = 12;

/** And at most, so that hashing one costs what was measured. */
export const PASSWORD_LENGTH_MAX = 128;

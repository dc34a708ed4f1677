/** In code units: what is longer than this, no one typed by mistake, so no hint is worth the time to find what was meant. */
export const longestGuess = 200

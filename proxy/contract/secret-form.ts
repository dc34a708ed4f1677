// Separate from what reads and makes secrets, so that code that only looks for them need not load cryptography.

/** The prefix of every API key's secret. */
export const secretPrefix = "fsk_"

/** The digits of base62. */
export const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Digits of 256 random bits: 62 ** 43 > 2 ** 256. */
export const randomLength = 43

/** Digits of a CRC-32: 62 ** 6 > 2 ** 32. */
export const checksumLength = 6

/** A regular expression, also for `grep -E`, of all that looks like a secret; its checksum may still be wrong. */
export const secretPattern = `${secretPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}`

/**
 * A regular expression, also for `grep -E`, of private keys as `parsePrivateKey` reads them: the base64 of the 16 bytes
 * before the 32 of an Ed25519 key (RFC 8410), and of these.
 */
export const privateKeyPattern = "MC4CAQAwBQYDK2VwBCIEI[0-9A-Za-z+/]{43}"

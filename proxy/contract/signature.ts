import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { Parsed } from "../../sdk/contract/parsed.ts"
import { manifestFile } from "./manifest.ts"

/**
 * The suffix of the signature files of the manifest and the published key file, which are in the same folder. Each line
 * is the base64 of an Ed25519 signature (RFC 8032) over the exact bytes; the first is of the newest file. Others, of the
 * previous file and of those that other publishers may be about to send, cover the time when only one of file and
 * signature has been replaced. One key signs both kinds of file: neither can be taken for the other, because a manifest
 * has members that no key file may have, and a key file is not a valid manifest.
 */
export const signatureSuffix = ".sig"

/** The name of the manifest's signature in every folder and store. */
export const signatureFile = manifestFile + signatureSuffix

/**
 * Reads a private key, the base64 of its PKCS #8 DER form, which is PEM without its header and footer. The reason never
 * repeats any of it.
 */
export function parsePrivateKey(text: string): Parsed<KeyObject> {
  return parseKey(text, (key) => createPrivateKey({ key, format: "der", type: "pkcs8" }))
}

/** Reads a public key, the base64 of its SPKI DER form. */
export function parsePublicKey(text: string): Parsed<KeyObject> {
  return parseKey(text, (key) => createPublicKey({ key, format: "der", type: "spki" }))
}

/** The public half of a key, as `parsePublicKey` reads it. */
export function formatPublicKey(key: KeyObject): string {
  const half = key.type === "private" ? createPublicKey(key) : key
  return half.export({ type: "spki", format: "der" }).toString("base64")
}

/** One line of a signature file, its line feed included. */
export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string {
  return `${sign(null, bytes, privateKey).toString("base64")}\n`
}

/** Whether one of a signature file's lines is a signature of exactly these bytes. `key` may be either half. */
export function isSigned(bytes: Uint8Array, signatures: string, key: KeyObject): boolean {
  return signatures
    .split("\n", mostLines)
    .some((line) => signatureLine.test(line) && verify(null, bytes, key, Buffer.from(line, "base64")))
}

/** The maximum number of bytes read from a signature file. */
export const maxSignatureLength = 1024

/** More would cost a verifier time, and no publisher writes them. */
const mostLines = 4
/** 64 bytes. */
const signatureLine = /^[A-Za-z0-9+/]{86}==$/

function parseKey(text: string, create: (der: Buffer) => KeyObject): Parsed<KeyObject> {
  try {
    const key = create(Buffer.from(text.trim(), "base64"))
    if (key.asymmetricKeyType === "ed25519") return { kind: "valid", value: key }
  } catch {
    // OpenSSL's message about an unreadable key does not help.
  }
  return { kind: "invalid", reason: "it is not a key that `flagstone keys signing` printed" }
}

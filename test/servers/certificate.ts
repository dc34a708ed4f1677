import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** The files of an untrusted certificate for 127.0.0.1, and of its private key. */
export interface CertificateFiles {
  readonly key: string
  readonly certificate: string
}

export function makeCertificate(folder: string): CertificateFiles {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")]
  const subject = ["-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1"]
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key]
  execFileSync("openssl", ["req", "-x509", ...made, "-out", certificate, ...subject], { stdio: "ignore" })
  return { key, certificate }
}

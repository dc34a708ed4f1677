/** What to do if a connection failed with this code because no known authority vouches for the certificate; `""` for other codes. */
export function certificateAdvice(code: string | undefined): string {
  const isUntrusted = code !== undefined && /SELF_SIGNED|UNABLE_TO_|UNTRUSTED/.test(code)
  return isUntrusted ? "; if you have your own certificate authority, set NODE_EXTRA_CA_CERTS" : ""
}

/** Says what could not be done and how to fix it. The program prints the message and exits with 2. */
export class Failure extends Error {
  override readonly name = "Failure"
}

/** It could not be done, and the message says what to fix: the program prints it and exits with 2. */
export class Failure extends Error {
  override readonly name = "Failure"
}

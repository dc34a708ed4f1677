import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const libraries = "/usr/lib"

/** libfaketime, which moves the clock of programs that ask libc for the time; `undefined`: it is not installed. */
export const faketime = readdirSync(libraries)
  .map((folder) => join(libraries, folder, "faketime/libfaketime.so.1"))
  .find((path) => existsSync(path))

/** The variables of a program whose clock can be moved, and a function that moves it by so many seconds. */
export function movableClock() {
  const file = join(mkdtempSync(join(tmpdir(), "flagstone-clock-")), "offset")
  const move = (seconds: number) => writeFileSync(file, seconds < 0 ? `${seconds}` : `+${seconds}`)
  move(0)
  return {
    env: {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    move,
  }
}

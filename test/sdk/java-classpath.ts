import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** The folder of the SDK in Java. */
export const javaSdk = resolve(import.meta.dirname, "../../sdk/java")

export const hasMaven = spawnSync("mvn", ["--version"]).error === undefined

/** Builds the SDK in Java; the classes that a program needs which uses its provider, or a test of one. */
export function javaClasspath(scope: "runtime" | "test" = "runtime"): string {
  const file = join("target", "classpath-of-programs")
  const goals = [
    "compile",
    "dependency:build-classpath",
    `-DincludeScope=${scope}`,
    `-Dmdep.outputFile=${file}`,
  ]
  execFileSync("mvn", ["-B", "-q", ...goals], { cwd: javaSdk })
  const provider = join(javaSdk, "flagstone-openfeature")
  return `${join(provider, "target/classes")}:${readFileSync(join(provider, file), "utf8")}`
}

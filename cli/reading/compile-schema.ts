import { createRequire } from "node:module"
import type { ValidateFunction } from "ajv"

/** Compiles a JSON Schema with Ajv. Loading Ajv takes as long as checking a thousand files with `createFit`. */
export function compileSchema(schema: object): ValidateFunction {
  const { Ajv }: typeof import("ajv") = createRequire(import.meta.url)("ajv")
  return new Ajv({
    allErrors: true,
    strict: true,
    verbose: true,
    ownProperties: true, // an environment may have the name of a member that every object inherits
    validateSchema: false,
  }).compile(schema)
}

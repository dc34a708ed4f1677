import fc from "fast-check"

/**
 * Strings of any code points, including halves of surrogate pairs, like `fc.string({ unit: "binary" })`, which takes a second to
 * create.
 */
export function anyText(constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.nat(0x7f), fc.nat(0x10ffff)), constraints)
    .map((points) => String.fromCodePoint(...points))
}

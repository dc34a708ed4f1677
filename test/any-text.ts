import fc from "fast-check"

/**
 * Texts of any code points, halves of surrogate pairs among them. As `fc.string({ unit: "binary" })`, which takes a second to
 * be made.
 */
export function anyText(constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.nat(0x7f), fc.nat(0x10ffff)), constraints)
    .map((points) => String.fromCodePoint(...points))
}

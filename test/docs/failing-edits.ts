/** Edits of the example project that a workflow refuses: what they are, the file, the edit, and what the log says. */
export const failingEdits = [
  [
    "a spec",
    "flags/checkout/one-page-checkout.spec.yaml",
    (text: string) => text.replace("expect: true", "expect: false"),
    "13 specs: 1 failed",
  ],
  ["the layout", "flags/project.yaml", (text: string) => text.replace(/^project: /m, "project:   "), "fmt"],
] as const

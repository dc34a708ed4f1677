import { Failure } from "../../failure.ts"
import { type Node, type Place, placeOf } from "./tree.ts"

/** How faithful an import is, from best to worst. */
export const verdicts = ["exact", "redealt", "differs", "needs-answer", "cannot"] as const
export type Verdict = (typeof verdicts)[number]

/** The verdicts in words. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  exact: "exact",
  redealt: "exact but for who falls into a percentage",
  differs: "differs for contexts that lack or mistype an attribute",
  "needs-answer": "needs an answer",
  cannot: "cannot be expressed",
}

/** Every loss there is, how much it loses, and what to do. docs/import.md has an example of each. */
export const losses = {
  "import-share-redealt": [
    "redealt",
    "The tools hash people differently: the shares stay, and people are dealt again, once. Switch when no experiment runs.",
  ],
  "import-context-missing": ["differs", "Send the attribute always, or accept the difference."],
  "import-context-mistyped": [
    "differs",
    "Send the attribute as the rules expect it, or accept the difference.",
  ],
  "import-caller-default": [
    "needs-answer",
    "A flag of Flagstone has a default of its own. Accept it to get `false`, an empty text, `0` or `{}`; change it then in the file.",
  ],
  "import-custom-strategy": [
    "needs-answer",
    "Say what it asks: `--strategy name=in:attribute:parameter`, or accept it to leave it out.",
  ],
  "import-segment-keys": [
    "needs-answer",
    "List its keys: `--known-values file`, with the segment's key and a list of keys.",
  ],
  "import-variants": [
    "needs-answer",
    "Accept it to import whether the flag is on, and write another flag for the variants.",
  ],
  "import-clock": [
    "needs-answer",
    "Flagstone reads no clock. Accept it if every context brings the time as this attribute.",
  ],
  "import-prerequisite-missing": [
    "needs-answer",
    "Name the file that has the other flag, too. Or accept it: then this one is off for everyone, as it is there.",
  ],
  "import-schedule": [
    "cannot",
    "Flagstone reads no clock. Import the step that holds today, or send the time as an attribute and compare that.",
  ],
  "import-context-kind": [
    "cannot",
    "A context of Flagstone has attributes and no kinds. Send the attribute under a name of its own.",
  ],
  "import-attribute-path": [
    "cannot",
    "Attributes have names and no paths. Send it flat, and write the rule with that name.",
  ],
  "import-random-share": ["cannot", "A share goes by an attribute. Choose one that stays with the user."],
  "import-operator": ["cannot", "Write the rule with other operators, or send an attribute that says it."],
  "import-operand": ["cannot", "Correct the rule in the other tool and export again."],
  "import-bucketing": ["cannot", "A share goes by one attribute. Send these joined, as one."],
  "import-logic": ["cannot", "Write the rule by hand with `all`, `any` and `none`."],
  "import-prerequisite": [
    "cannot",
    "Do what is said of the other flag, or end the dependency in the other tool, and import again.",
  ],
  "import-malformed": [
    "cannot",
    "The other tool does not evaluate it either. Correct it there and export again.",
  ],
  "import-name": ["cannot", "Rename it in the other tool, in code and here."],
  "import-language": [
    "cannot",
    "Do what the message says, in the other tool or in project.yaml, and import again.",
  ],
  "import-disproved": ["cannot", "Write this flag by hand, and tell us."],
} as const satisfies Record<string, readonly [Verdict, string]>

export type LossCode = keyof typeof losses

/** What an import changes or leaves out, and where the source says it. */
export interface Loss {
  readonly code: LossCode
  readonly text: string
  readonly place: Place
}

/** Takes what is lost. */
export type Lose = (code: LossCode, node: Node, text: string) => void

/** A list of losses, without repetitions. */
export function collectLosses(known: readonly Loss[] = []): { readonly losses: Loss[]; readonly lose: Lose } {
  const losses = [...known]
  return {
    losses,
    lose(code, node, text) {
      const place = placeOf(node)
      if (
        !losses.some((one) => one.code === code && one.text === text && one.place.pointer === place.pointer)
      )
        losses.push({ code, text, place })
    },
  }
}

/** The worst verdict of losses that nobody has accepted. */
export function verdictOf(found: readonly Loss[], accepted: readonly string[] = []): Verdict {
  const open = found.filter(({ code }) => !accepted.includes(code))
  return verdicts[Math.max(0, ...open.map(({ code }) => verdicts.indexOf(losses[code][0])))] ?? "exact"
}

/** Throws `Failure` for codes that cannot be accepted. */
export function refuseCodes(codes: readonly string[]): void {
  for (const code of codes) {
    if (!Object.hasOwn(losses, code)) throw new Failure(`no loss ${code}: docs/import.md lists them`)
    if (losses[code as LossCode][0] === "cannot")
      throw new Failure(
        `${code} cannot be accepted, because what it is about cannot be written; --skip leaves such flags out`,
      )
  }
}

/** Whether a flag with this verdict is written. */
export function isWritable(verdict: Verdict): boolean {
  return verdict !== "cannot" && verdict !== "needs-answer"
}

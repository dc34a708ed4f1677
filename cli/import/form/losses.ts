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
  ...of("redealt", {
    "import-share-redealt":
      "The tools hash people differently: the shares stay, and people are dealt again, once. Switch when no experiment runs.",
  }),
  ...of("differs", {
    "import-context-missing": "Send the attribute always, or accept the difference.",
    "import-context-mistyped": "Send the attribute as the rules expect it, or accept the difference.",
  }),
  ...of("needs-answer", {
    "import-caller-default":
      "A flag of Flagstone has a default of its own. Accept it to get `false`, an empty text, `0` or `{}`; change it then in the file.",
    "import-custom-strategy":
      "Say what it asks: `--strategy name=in:attribute:parameter`, or accept it to leave it out.",
    "import-segment-missing": "Name the file that has the segment, too. Or accept it: then no one is in it.",
    "import-segment-keys": "List its keys: `--known-values file`, with the segment's key and a list of keys.",
    "import-variants": "Accept it to import whether the flag is on, and write another flag for the variants.",
    "import-clock": "Flagstone reads no clock. Accept it if every context brings the time as this attribute.",
    "import-prerequisite-missing":
      "Name the file that has the other flag, too. Or accept it: then this one is off for everyone, as it is there.",
  }),
  ...of("cannot", {
    "import-schedule":
      "Flagstone reads no clock. Import the step that holds today, or send the time as an attribute and compare that.",
    "import-context-kind":
      "A context of Flagstone has attributes and no kinds. Send the attribute under a name of its own.",
    "import-attribute-path":
      "Attributes have names and no paths. Send it flat, and write the rule with that name.",
    "import-random-share": "A share goes by an attribute. Choose one that stays with the user.",
    "import-operator": "Write the rule with other operators, or send an attribute that says it.",
    "import-operand": "Correct the rule in the other tool and export again.",
    "import-bucketing": "A share goes by one attribute. Send these joined, as one.",
    "import-logic": "Write the rule by hand with `all`, `any` and `none`.",
    "import-prerequisite":
      "Do what is said of the other flag, or end the dependency in the other tool, and import again.",
    "import-malformed": "The other tool does not evaluate it either. Correct it there and export again.",
    "import-name": "Rename it in the other tool, in code and here.",
    "import-language": "Do what the message says, in the other tool or in project.yaml, and import again.",
    "import-disproved": "Write this flag by hand, and tell us.",
  }),
}

function of<Code extends string>(verdict: Verdict, advice: Readonly<Record<Code, string>>) {
  const entries = Object.entries<string>(advice).map(([code, text]) => [code, [verdict, text]])
  return Object.fromEntries(entries) as Readonly<Record<Code, readonly [Verdict, string]>>
}

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

/** The worst verdict of losses that no one has accepted. */
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
        `${code} cannot be accepted, because what it is about cannot be written; --skip leaves those flags out`,
      )
  }
}

/** Whether a flag with this verdict is written. */
export function isWritable(verdict: Verdict): boolean {
  return verdict !== "cannot" && verdict !== "needs-answer"
}

import { type ImportCode, severityOf } from "../../diagnostics/codes.ts"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import { messageOf, type Phrase, uncut } from "../../diagnostics/phrase.ts"
import { Failure } from "../../failure.ts"
import { locationOf, type Node, type Place, placeOf } from "./tree.ts"

/** How faithful an import is, from best to worst. */
export const verdicts = ["exact", "rebucketed", "differs", "needs-answer", "cannot"] as const
export type Verdict = (typeof verdicts)[number]

/** The words for verdicts in reports. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  exact: "exact",
  rebucketed: "exact except for who falls into a percentage",
  differs: "differs for contexts that lack or mistype an attribute",
  "needs-answer": "needs an answer",
  cannot: "cannot be expressed",
}

/** Every code, its verdict, and what to do about it. docs/import.md has an example of each. */
export const losses: Readonly<Record<ImportCode, readonly [Verdict, string]>> = {
  ...of("exact", {
    "import-remark": "Nothing is lost. Check whether it is intended in the other tool.",
  }),
  ...of("rebucketed", {
    "import-share-rebucketed":
      "The tools hash differently: the shares stay, but users are re-bucketed once. Switch while no experiment is running.",
  }),
  ...of("differs", {
    "import-context-missing": "Always send the attribute, or accept the difference.",
    "import-context-mistyped":
      "Send the attribute with the type that the rules expect, or accept the difference.",
  }),
  ...of("needs-answer", {
    "import-caller-default":
      "In Flagstone, each flag has its own default. Accept this to get `false`, an empty string, `0` or `{}`, then change it in the file.",
    "import-custom-strategy":
      "Specify what it checks with `--strategy name=in:attribute:parameter`, or accept this to leave it out.",
    "import-segment-missing": "Add the file that has the segment, or accept this to treat it as empty.",
    "import-segment-keys":
      "Pass `--known-values` a file with the segment's key and the list of its users' keys.",
    "import-variants":
      "Accept this to import only whether the flag is on, and write another flag for the variants.",
    "import-clock":
      "Flagstone does not read the clock. Accept this if every context sends the time as this attribute.",
    "import-prerequisite-missing":
      "Add the file that has the other flag, or accept this: this flag is then off for everyone, as in the other tool.",
  }),
  ...of("cannot", {
    "import-schedule":
      "Flagstone does not read the clock. Leave only what applies today in the other tool's file, import it, and write the rest by hand: a share that grows is a `ramp`, with a stage for each step.",
    "import-context-kind":
      "In Flagstone, contexts have attributes but no kinds. Send the attribute under a separate name.",
    "import-attribute-path":
      "Attributes have names, not paths. Send the value as a separate attribute and use its name in the rule.",
    "import-random-share": "Shares need an attribute. Choose one that stays the same for each user.",
    "import-operator": "Write the rule with other operators, or send an attribute with the answer.",
    "import-operand": "Correct the rule in the other tool and export again.",
    "import-bucketing": "Shares use a single attribute. Join these attributes and send them as one.",
    "import-logic": "Write the rule by hand with `all`, `any` and `none`.",
    "import-prerequisite":
      "Fix what is reported for the other flag, or remove the dependency in the other tool, and import again.",
    "import-malformed": "The other tool cannot evaluate this either. Correct it there and export again.",
    "import-name": "Rename it in the other tool and in your code, and export again.",
    "import-language": "Fix the error in the other tool or in project.yaml, and import again.",
    "import-disproved": "Write this flag by hand, and report a bug.",
  }),
}

function of<Code extends string>(verdict: Verdict, advice: Readonly<Record<Code, string>>) {
  const entries = Object.entries<string>(advice).map(([code, text]) => [code, [verdict, text]])
  return Object.fromEntries(entries) as Readonly<Record<Code, readonly [Verdict, string]>>
}

/** What an import changes, leaves out or finds odd, at its place in the source. */
export interface Loss extends Diagnostic {
  readonly code: ImportCode
  readonly verdict: Verdict
  readonly place: Place
}

/** Reports a loss. No text in it is cut short. */
export type AddLoss = (code: ImportCode, node: Node, what: Phrase) => void

/** Collects losses without duplicates. */
export function collectLosses(known: readonly Loss[] = []): {
  readonly losses: Loss[]
  readonly addLoss: AddLoss
} {
  const found = [...known]
  return {
    losses: found,
    addLoss(code, node, what) {
      const loss = lossAt(code, node, what)
      const isKnown = found.some(
        (one) =>
          one.code === code && one.message === loss.message && one.place.pointer === loss.place.pointer,
      )
      if (!isKnown) found.push(loss)
    },
  }
}

/** A loss at a value. No text in it is cut short. */
export function lossAt(code: ImportCode, node: Node, what: Phrase): Loss {
  const [verdict] = losses[code]
  const where = { location: locationOf(node), place: placeOf(node), related: [], fix: undefined }
  return { code, severity: severityOf(code), verdict, ...messageOf(uncut(what)), ...where }
}

/** The worst verdict of losses that no one has accepted. */
export function verdictOf(found: readonly Loss[], accepted: readonly string[] = []): Verdict {
  const open = found.filter(({ code }) => !accepted.includes(code))
  return verdicts[Math.max(0, ...open.map(({ verdict }) => verdicts.indexOf(verdict)))] ?? "exact"
}

/** Throws `Failure` for codes that cannot be accepted. */
export function refuseCodes(codes: readonly string[]): void {
  for (const code of codes) {
    if (!Object.hasOwn(losses, code)) throw new Failure(`unknown code ${code}: docs/import.md lists them all`)
    if (losses[code as ImportCode][0] === "cannot")
      throw new Failure(
        `${code} cannot be accepted, because flags that have it cannot be written; --skip leaves them out`,
      )
  }
}

/** Whether a flag with this verdict is written. */
export function isWritable(verdict: Verdict): boolean {
  return verdict !== "cannot" && verdict !== "needs-answer"
}

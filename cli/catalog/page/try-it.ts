import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import type { Context, Evaluator } from "../../../sdk/evaluation/evaluator.ts"
import { unmarkedPhrase } from "../../diagnostics/phrase.ts"
import { printableJson } from "../../diagnostics/printable.ts"
import { withEarlierShares } from "../../evaluate/condition-words.ts"
import { decidedAt, evaluationSentence, numberWords } from "../../evaluate/sentences.ts"
import type { Address, View } from "./address.ts"
import { byId, element } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { PageData } from "./page-data.ts"

/** The context that a view gives to all flags. */
export interface Trial {
  readonly show: (view: View) => Promise<void>
  /** What the context gets from a flag, by environment; `undefined`: there is no context. */
  readonly given: (flag: FlagView) => readonly (Given | undefined)[] | undefined
}

/** Opens the form for a context. Calls `onGiven` when the flags' values for a context, or their own, are shown. */
export function openTrial(
  flags: readonly FlagView[],
  data: PageData,
  address: Address,
  onGiven: () => void,
): Trial {
  const form = byId("try").querySelector("form") as HTMLFormElement
  const fields = openForm(form, byId("fault"))
  const evaluators = createEvaluators(flags, data.environments)
  const { documentElement: page } = document
  let shown: string | undefined
  let give: ((flag: FlagView) => readonly (Given | undefined)[]) | undefined

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const { value } = form.elements.namedItem("context") as HTMLTextAreaElement
    if (fields.read(value) !== undefined) address.goTo({ ...address.view(), context: value || "{}" })
  })
  form.addEventListener("reset", () => address.goTo({ ...address.view(), context: "" }))
  return {
    given: (flag) => give?.(flag),
    async show({ context }) {
      if (context === shown) return
      shown = context
      fields.show(context ?? "")
      const parsed = context === undefined ? undefined : fields.read(context)
      if (context !== undefined) (byId("try") as HTMLDetailsElement).open = true
      const ready = parsed && (await evaluators())
      if (context !== shown) return // the context has changed meanwhile
      give = parsed && ready && ((flag) => giveAll(flag, parsed, ready, data))
      page.classList.toggle("trying", give !== undefined)
      for (const flag of flags) paintValues(flag, give?.(flag))
      onGiven()
      if (context === undefined) delete page.dataset.context
      else page.dataset.context = context
    },
  }
}

/** The form for a context. */
interface ContextForm {
  /** Puts a context's text into the form and its fields. */
  readonly show: (text: string) => void
  /** The context; `undefined` if the text is not a JSON object, which the page reports. */
  readonly read: (text: string) => Context | undefined
}

/** The fields write the context as JSON, and the JSON is evaluated. */
function openForm(form: HTMLFormElement, fault: HTMLElement): ContextForm {
  const area = form.elements.namedItem("context") as HTMLTextAreaElement
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-attribute]")]
  const parse = (text: string): Context | undefined => {
    try {
      const value: unknown = JSON.parse(text || "{}")
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? (value as Context)
        : undefined
    } catch {
      return undefined
    }
  }
  for (const field of fields)
    field.addEventListener("input", () => {
      const { attribute = "", type = "" } = field.dataset
      const others = Object.entries(parse(area.value) ?? {}).filter(([name]) => name !== attribute)
      const own = field.value.trim() === "" ? [] : [[attribute, meantBy(field.value, type)] as const]
      area.value = JSON.stringify(Object.fromEntries([...others, ...own]))
    })
  return {
    show(text) {
      area.value = text
      const context = parse(text) ?? {}
      for (const field of fields) {
        const { attribute = "", type } = field.dataset
        const value = Object.hasOwn(context, attribute) ? context[attribute] : ""
        const isList = type === "list" && Array.isArray(value) // which its text gives with commas
        field.value = typeof value === "object" && !isList ? JSON.stringify(value) : String(value)
      }
    },
    read(text) {
      const context = parse(text)
      fault.textContent = context === undefined ? 'Write a JSON object, such as {"plan": "pro"}.' : ""
      return context
    },
  }
}

/** The value that a field's text stands for. An attribute without a declared type is a string. */
function meantBy(text: string, type: string): unknown {
  if (type === "number" && Number.isFinite(Number(text))) return Number(text)
  if (type === "boolean") return text === "true"
  return type === "list" ? text.split(",").map((item) => item.trim()) : text
}

/** An evaluator for each environment, created on first use. */
function createEvaluators(
  flags: readonly FlagView[],
  environments: readonly string[],
): () => Promise<readonly Evaluator[]> {
  let made: Promise<readonly Evaluator[]> | undefined
  return () => {
    made ??= Promise.all(environments.map((_, at) => compileEntries(flags.map(({ entry }) => entry(at)))))
    return made
  }
}

/** The value that an environment gives a context. */
export interface Given {
  /** JSON. */
  readonly value: string
  /** A word or two, such as `rule 1`. */
  readonly reason: string
  /** A sentence without its full stop. */
  readonly why: string
}

/** The values that a flag gives a context, by environment. */
function giveAll(
  flag: FlagView,
  context: Context,
  evaluators: readonly Evaluator[],
  data: PageData,
): readonly (Given | undefined)[] {
  const { key } = flag
  return evaluators.map((evaluator, at) => {
    const explanation = evaluator.explain(key, context)
    const { evaluation } = explanation
    if (evaluation.kind === "unknownFlag") return undefined
    const numberOf = (rule: number) => flag.cells[at]?.reached[rule]?.rule
    const environment = data.environments[at] ?? ""
    const rules = withEarlierShares(explanation.rules)
    const why = unmarkedPhrase(evaluationSentence(evaluation, { rules }, environment, numberOf))
    const rule = numberOf(decidedAt(rules) ?? -1)
    const isKnown = evaluation.kind === "evaluated"
    const reason = rule !== undefined ? unmarkedPhrase(numberWords(rule)) : isKnown ? evaluation.cause : ""
    return {
      value: isKnown ? printableJson(JSON.stringify(evaluation.value)) : "cannot be known here",
      reason,
      why,
    }
  })
}

/** Writes the values that a context gets, with their reasons, into the cells of a row. `undefined`: the original text. */
function paintValues({ row }: FlagView, given: readonly (Given | undefined)[] | undefined): void {
  if (given === undefined && row.dataset.tried === undefined) return
  row.dataset.tried = ""
  for (const [at, cell] of [...row.querySelectorAll<HTMLElement>("td[class]")].entries()) {
    const one = given?.[at]
    const before = contents.get(cell) ?? [...cell.childNodes]
    contents.set(cell, before)
    delete cell.dataset.given
    if (one === undefined) {
      cell.replaceChildren(...before)
      continue
    }
    const { value, reason, why } = one
    cell.dataset.given = value === "true" || value === "false" ? value : "other"
    const parts = [element("code", {}, value), element("small", {}, reason)]
    cell.replaceChildren(element("span", { className: "given", title: why }, ...parts))
  }
}

/** The matrix cells' contents while no context is tried. */
const contents = new WeakMap<HTMLElement, readonly ChildNode[]>()

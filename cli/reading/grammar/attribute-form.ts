import { numberOf } from "../../../sdk/evaluation/decimal.ts"
import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { parseVersionOperand } from "../../../sdk/evaluation/version.ts"
import type { AttributeType } from "../../language/operators.ts"
import { operandForms } from "./operand.ts"

/** Which texts an attribute of a type can have, and how to say so. */
interface AttributeForm {
  readonly isMet: (text: string) => boolean
  /** The end of "A value …". */
  readonly words: string
}

/** A type that is not listed takes any text. */
const forms: Readonly<Partial<Record<AttributeType, AttributeForm>>> = {
  number: { isMet: (text) => numberOf(text) !== undefined, words: operandForms.number },
  boolean: { isMet: (text) => text === "true" || text === "false", words: 'must be "true" or "false"' },
  version: {
    isMet: (text) => parseVersionOperand(text)?.isRange === false,
    words: 'must be a version: dotted numbers, such as "1.10"',
  },
  moment: { isMet: (text) => parseMoment(text) !== undefined, words: operandForms.date },
}

/** The form that an attribute's type requires of a value, as the end of "A value …"; `undefined` if the text has it. */
export function formMissed(type: AttributeType, text: string): string | undefined {
  const form = forms[type]
  return form?.isMet(text) === false ? form.words : undefined
}

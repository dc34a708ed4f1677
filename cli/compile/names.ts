import { environmentNamePattern } from "../../proxy/contract/environment-name.ts"

/** A flag key, DESIGN section 3: real projects use dots, slashes, capitals and leading digits. */
export const flagKeyPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/

/** The name of a project; it stands in ids, as an environment's does. */
export const projectNamePattern = environmentNamePattern

/** The name of an operator that a project adds. */
export const operatorPattern = /^[A-Za-z][A-Za-z0-9]{0,63}$/

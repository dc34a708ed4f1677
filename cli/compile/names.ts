/** A flag key, DESIGN section 3: real projects use dots, slashes, capitals and leading digits. */
export const flagKeyPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/

/** The name of a project or an environment; the latter is also a file's name in `dist/`. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The name of an operator that a project adds. */
export const operatorPattern = /^[A-Za-z][A-Za-z0-9]{0,63}$/

/** `dist/manifest.json` is the manifest, so no environment has its name. */
export const reservedEnvironment = "manifest"

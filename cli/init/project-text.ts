import { schemaLine } from "../editor/schema-file.ts"
import { projectSchemaFileName } from "../reading/files/file-names.ts"

/** The environments of a new project, in rollout order. */
export const firstEnvironments: readonly string[] = ["development", "staging", "production"]

/** The project file of a new project. */
export const projectText = (name: string) => `# yaml-language-server: $schema=./${projectSchemaFileName}
project: ${JSON.stringify(name)}
# In rollout order.
environments: [${firstEnvironments.join(", ")}]
# flagstone diff lists changes in them first, and warns of risky ones.
protected: [production]
# The attributes that rules may use. Other attributes are errors, and so are operators that do not fit the type.
attributes:
  email: { type: text }
  userId: { type: text, description: stays the same for a user }
`

/** An example in which every environment and every rule applies to someone. The file's name is its key. */
export const exampleText = `${schemaLine}
# The file's name is the flag key: new-welcome.
name: New welcome page
description: Greets users by name.
defaultValue: false
environments:
  development: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  production:
    enabled: true
    rules:
      # Staff see it,
      - attribute: email
        operator: endsWith
        value: "@example.com"
        returnValue: true
      # and one in ten other users, always the same ones.
      - share: { by: userId, to: 10 }
        returnValue: true
`

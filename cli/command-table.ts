import type { CommandUnknownOpts } from "commander"
import type { Exit, Host } from "./host.ts"

/** A command as help lists it, and where the rest of it is declared. */
export interface CommandEntry {
  readonly description: string
  /** Another name for it. */
  readonly alias?: string
  /** Loads the command's module, and with it everything that the command needs to run. */
  readonly load: () => Promise<(host: Host, exit: Exit) => CommandUnknownOpts>
}

/** Commands that share their first word. */
export interface CommandGroup {
  readonly description: string
  /** A command line for the end of the group's help. */
  readonly example: string
  readonly commands: CommandTable
}

/** Commands by name, in the order of help. */
export type CommandTable = Readonly<Record<string, CommandEntry | CommandGroup>>

/**
 * Everything that Flagstone can do. Names and descriptions are here, apart from the commands' own modules, so that
 * help and suggestions load none of them.
 */
export const commandTable: CommandTable = {
  build: {
    description: "Compile the flags into one snapshot for each environment.",
    load: async () => (await import("./commands/build.ts")).buildCommand,
  },
  lint: {
    alias: "validate",
    description: "Check the flags and print what is wrong, where, and how to fix it.",
    load: async () => (await import("./commands/lint.ts")).lintCommand,
  },
  explain: {
    description: "Explain a diagnostic's code, with an example.",
    load: async () => (await import("./commands/explain.ts")).explainCommand,
  },
  fmt: {
    description: "Format the flag files. Comments, order and quotes stay as they are.",
    load: async () => (await import("./commands/fmt.ts")).fmtCommand,
  },
  diff: {
    description: "Show whose flag values change, per environment.",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  comment: {
    description: "Keep a pull or merge request's comment with diff's output up to date, from its CI job.",
    load: async () => (await import("./commands/comment.ts")).commentCommand,
  },
  evaluate: {
    description: "Show a flag's value for a context, and why.",
    load: async () => (await import("./commands/evaluate.ts")).evaluateCommand,
  },
  test: {
    description: "Run the flags' specs; with --coverage, list what no case covers.",
    load: async () => (await import("./commands/test.ts")).testCommand,
  },
  set: {
    description: "Switch a flag on or off, or change a share, in one line.",
    load: async () => (await import("./commands/set.ts")).setCommand,
  },
  promote: {
    description: "Copy a flag's configuration to another environment, or show how two differ.",
    load: async () => (await import("./commands/promote.ts")).promoteCommand,
  },
  usages: {
    description: "Find where code uses flags, and calls for flags that are not defined.",
    load: async () => (await import("./commands/usages.ts")).usagesCommand,
  },
  stale: {
    description: "List the flags that can be removed: why, since when, and which value to keep.",
    load: async () => (await import("./commands/stale.ts")).staleCommand,
  },
  remove: {
    description: "Delete a flag that code no longer uses, or list what to change first.",
    load: async () => (await import("./commands/remove.ts")).removeCommand,
  },
  catalog: {
    description:
      "Write one HTML page with every flag: its rules in words, who changed it, and what users get.",
    load: async () => (await import("./commands/catalog.ts")).catalogCommand,
  },
  dev: {
    description:
      "Build, serve, and rebuild on every change, with its own API keys; show what each change does.",
    load: async () => (await import("./commands/dev.ts")).devCommand,
  },
  serve: {
    description: "Serve snapshots from a folder or a URL to clients with an API key.",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  publish: {
    description: "Upload the build output to a folder, an S3-compatible store or an HTTP server.",
    load: async () => (await import("./commands/publish.ts")).publishCommand,
  },
  verify: {
    description: "Tell whether a target, a proxy or a CDN has exactly the flags of a commit.",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  keys: {
    description:
      "Create, list, rotate, revoke and check the API keys that clients use to read flags; create signing keys.",
    example: "flagstone keys create production --id web --expires 365d",
    commands: {
      create: {
        description: "Create an API key for an environment and print its secret once.",
        load: async () => (await import("./commands/keys-create.ts")).keysCreateCommand,
      },
      list: {
        description: "List the keys and show which are active.",
        load: async () => (await import("./commands/keys-list.ts")).keysListCommand,
      },
      rotate: {
        description: "Create a key that may do what another may, and let the other one expire.",
        load: async () => (await import("./commands/keys-rotate.ts")).keysRotateCommand,
      },
      revoke: {
        description: "Make a key invalid from now on; it stays in the file.",
        load: async () => (await import("./commands/keys-revoke.ts")).keysRevokeCommand,
      },
      verify: {
        description:
          "Read a secret from stdin and print which key it belongs to; exit with 0 if that key is active, otherwise with 1.",
        load: async () => (await import("./commands/keys-verify.ts")).keysVerifyCommand,
      },
      signing: {
        description:
          "Create an Ed25519 pair: publish signs with the private half; serve verifies with the public one.",
        load: async () => (await import("./commands/keys-signing.ts")).keysSigningCommand,
      },
    },
  },
  codegen: {
    description: "Print types or a manifest of the flags, for compilers and code generators.",
    example: "flagstone codegen types > flags.d.ts",
    commands: {
      manifest: {
        description: "Print a flag manifest for OpenFeature's CLI, which generates typed code from it.",
        load: async () => (await import("./commands/codegen-manifest.ts")).codegenManifestCommand,
      },
      types: {
        description: "Print TypeScript types for OpenFeature's flag keys and each flag's values.",
        load: async () => (await import("./commands/codegen-types.ts")).codegenTypesCommand,
      },
    },
  },
  init: {
    description: "Start a project: a flags folder with a project file and a first flag.",
    load: async () => (await import("./commands/init.ts")).initCommand,
  },
  import: {
    description: "Turn the flags of another tool into flag files, and prove that they give the same values.",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  attributes: {
    description: "List the attributes that rules use, as a block for project.yaml.",
    load: async () => (await import("./commands/attributes.ts")).attributesCommand,
  },
  schema: {
    description: "Print the JSON Schema of a flag file in this project, for editors.",
    load: async () => (await import("./commands/schema.ts")).schemaCommand,
  },
}

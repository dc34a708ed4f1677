import { Command, InvalidArgumentError, Option } from "commander"
import { addToList, flagsOption, type OptionsOf } from "./options.ts"

const formats = ["text", "markdown"] as const

/** `promote` with its options, and no action. */
export const declarePromote = () =>
  new Command("promote")
    .argument("[flags...]", "the keys of the flags")
    .addOption(flagsOption())
    .requiredOption("--from <environment>", "the environment to copy from")
    .requiredOption("--to <environment>", "the environment to copy to; next: the one after --from")
    .option("--all", "promote all flags that --from configures")
    .addOption(new Option("--tag <tag>", "only flags with this tag").argParser(addToList))
    .addOption(new Option("--share <percent>", "start with this share of users").argParser(parseShare))
    .option(
      "--by <attribute>",
      "the attribute that picks these users (default: the one that other shares use)",
    )
    .addOption(new Option("--replace", "drop rules that only the target has").conflicts("append"))
    .option("--append", "keep rules that only the target has, and add the others after them")
    .option("--dry-run", "print what would change, and write nothing")
    .addOption(
      new Option(
        "--check",
        "print what differs, and fail if anything does; environments may be <name>@<commit>",
      ).conflicts(["share", "by", "replace", "append"]),
    )
    .addOption(new Option("--format <format>", "the format of --check").choices(formats).default("text"))
    .addHelpText("after", "\nExample:\n  $ flagstone promote saved-carts --from staging --to production")

/** The options of `promote`; `share` is in percent. */
export type PromoteOptions = OptionsOf<typeof declarePromote>

function parseShare(text: string): number {
  const share = /^\d{1,2}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (share === 0)
    throw new InvalidArgumentError(
      "Write a percentage between 0 and 100, with at most three decimals, such as 10.",
    )
  return share
}

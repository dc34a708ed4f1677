import type { CommandTable } from "../cli/command-table.ts"

/** The words of every command and of every group of commands, in the order of help. */
export function commandNames(table: CommandTable): readonly (readonly string[])[] {
  return Object.entries(table).flatMap(([name, entry]) => [
    [name],
    ...("commands" in entry ? commandNames(entry.commands).map((words) => [name, ...words]) : []),
  ])
}

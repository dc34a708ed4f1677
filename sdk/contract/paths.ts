/** The list operation's path, and the prefix of every single flag's. */
export const flagsPath = "/v1/flags"

/** The stream of server-sent events about changes of a client's document. */
export const eventsPath = "/v1/events"

import type { Host } from "../host.ts"

/** A proxy that runs. `stop` resolves when its last connection is gone; called again, it cuts. */
export interface Stoppable {
  stop(): Promise<void>
}

/**
 * Resolves when a signal has stopped the proxy and its last connection is gone, and at once at a signal before it has
 * started. The listeners come first: until then a signal ends the process without a word.
 */
export async function untilStopped(starting: Promise<Stoppable>, host: Host): Promise<void> {
  const forgets: (() => void)[] = []
  await new Promise<void>((done, failed) => {
    let proxy: Stoppable | undefined
    const stop = () => void (proxy === undefined ? done() : proxy.stop().then(done, failed))
    forgets.push(host.onSignal("SIGTERM", stop), host.onSignal("SIGINT", stop))
    starting.then((started) => {
      proxy = started
    }, failed)
  })
  for (const forget of forgets) forget()
}

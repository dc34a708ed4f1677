import type { Host } from "../host.ts"

/** A running proxy. `stop` resolves when the last connection is closed; a second call closes those that are left. */
export interface Stoppable {
  stop(): Promise<void>
}

/**
 * Resolves when a signal has stopped the proxy and its last connection is closed, or immediately if the signal comes
 * before the proxy has started. The listeners are added first: without them a signal ends the process silently.
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

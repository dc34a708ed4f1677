import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * Runs the worker `name`, whose file is in the same folder as `beside`, and resolves to its first message. The thread,
 * and its memory, end with its work. Rejects if the machine has no thread or memory left, or `signal` is aborted.
 */
export function inThread<T>(
  name: string,
  beside: string,
  options: WorkerOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  // TypeScript in the repository, JavaScript in the published package.
  const file = new URL(`./${name}.${beside.endsWith(".ts") ? "ts" : "js"}`, beside)
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, options)
    worker.once("message", resolve)
    worker.once("error", reject)
    const end = () => void worker.terminate()
    signal?.addEventListener("abort", end)
    worker.once("exit", () => {
      signal?.removeEventListener("abort", end)
      reject(new Error("its thread ended early"))
    })
  })
}

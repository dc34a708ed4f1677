import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * The first message of the worker `name`, whose file lies beside `beside`. The thread ends with its work, and its memory
 * with it.
 * Rejects where the machine has no thread or no memory left, and when `signal` is aborted.
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

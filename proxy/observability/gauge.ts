import { Gauge, type Registry } from "prom-client"

/** Gives a series of a gauge its value. */
export type SetValue = (labels: Record<string, string>, value: number) => void
type Fill = (set: SetValue) => void

/** A gauge that is filled at each scrape: removed items have no series. */
export function createGauge(
  registers: Registry[],
  name: string,
  help: string,
  labelNames: string[],
  fill: Fill,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    collect() {
      this.reset()
      if (labelNames.length === 0) fill((_, value) => this.set(value))
      else fill((labels, value) => this.set(labels, value))
    },
  })
}

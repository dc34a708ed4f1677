// @module-tag slow
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { parse, stringify } from "yaml"

const file = resolve(import.meta.dirname, "../../../proxy/observability/alerts.yaml")
const runbook = readFileSync(resolve(import.meta.dirname, "../../../docs/runbook.md"), "utf8")

interface Rule {
  readonly alert: string
  readonly annotations: { readonly runbook_url: string }
}
const rules: readonly Rule[] = parse(readFileSync(file, "utf8")).groups[0].rules

/** The series for which each alert fires, a sample a minute; `$` stands for the labels of the target. */
const firing: Readonly<Record<string, readonly string[]>> = {
  FlagstoneDown: ["up{$} 1x10 0x50", "flagstone_build_info{$} 1x10 stale"],
  FlagstoneGone: ["flagstone_build_info{$} 1x10 stale"],
  FlagstoneCrashLoop: ["process_start_time_seconds{$} 1x40 2 3 4 5x20", "flagstone_build_info{$} 1x60"],
  FlagstoneRestarts: [
    "process_start_time_seconds{$} 1x10 2x10 3x10 4x10 stale",
    "flagstone_build_info{$} 1x43 stale",
  ],
  FlagstoneNotReady: ["flagstone_ready{$} 0x60"],
  FlagstoneEnvironmentMissing: ["flagstone_environments_missing{$} 1x60"],
  FlagstoneEnvironmentUnknown: ["flagstone_environments_unknown{$} 1x60"],
  FlagstoneErrors: ['flagstone_requests_total{$,status="503"} 0+60x60'],
  FlagstoneSnapshotRefused: ['flagstone_snapshot_refused{$,project="shop",environment="production"} 1x60'],
  FlagstoneSourceStale: ['flagstone_source_good_seconds{$,source="snapshots"} 0+60x60'],
  FlagstoneCacheBad: ['flagstone_cache_good{$,source="keys"} 0x60'],
  FlagstoneRevisionsDiffer: [
    'flagstone_snapshot_info{$,project="shop",environment="production",revision="a"} 1x60',
    'flagstone_snapshot_info{$,project="shop",environment="production",revision="b"} 1x60',
  ],
  FlagstoneRolledBack: [
    'flagstone_rolled_back{$,project="shop"} 1x60',
    'flagstone_publication_timestamp_seconds{$,project="shop"} -43200x60',
  ],
  FlagstonePublishedLate: [
    'flagstone_rolled_back{$,project="shop"} 0x60',
    'flagstone_publication_timestamp_seconds{$,project="shop"} 0x60',
    'flagstone_commit_timestamp_seconds{$,project="shop"} -7200x60',
  ],
  FlagstoneKeyExpires: [
    'flagstone_key_expiry_timestamp_seconds{$,key_id="web",environment="production"} 7200x60',
  ],
  FlagstoneEvaluationsRefused: ['flagstone_requests_total{$,route="/ofrep/v1",status="400"} 0+120x60'],
  FlagstoneKeyRateLimited: ['flagstone_rate_limited_total{$,key_id="web"} 0+60x60'],
  FlagstoneRateLimitStoreDown: ["flagstone_rate_limit_store_up{$} 0x60"],
  FlagstoneAuthFailures: ['flagstone_auth_failures_total{$,reason="unknown"} 0+120x60'],
  FlagstoneEventStreamsRefused: ["flagstone_event_streams_refused_total{$} 0+60x60"],
  FlagstoneLogLinesDropped: ["flagstone_log_lines_dropped_total{$} 0+60x60"],
  FlagstoneSlow: [
    'flagstone_request_duration_seconds_bucket{$,route="/v1/flags",le="0.1"} 0+1x60',
    'flagstone_request_duration_seconds_bucket{$,route="/v1/flags",le="1"} 0+60x60',
    'flagstone_request_duration_seconds_bucket{$,route="/v1/flags",le="+Inf"} 0+60x60',
  ],
  FlagstoneEventLoopLags: ["nodejs_eventloop_lag_p99_seconds{$} 1x60", "flagstone_build_info{$} 1x60"],
}

/** How Prometheus finds proxies, and how it labels them. */
const discoveries = {
  "a separate job": 'job="flagstone",instance="10.0.0.1:9090"',
  "annotations of pods": 'job="kubernetes-pods",instance="10.0.0.1:9090",namespace="flags",pod="flagstone-1"',
}

/** Another program among the pods, which is down and slow. */
const stranger = [
  'up{job="kubernetes-pods",instance="10.0.0.9:8080",pod="shop-flagstone-1"} 0x60',
  'nodejs_eventloop_lag_p99_seconds{job="kubernetes-pods",instance="10.0.0.9:8080"} 9x60',
]

test("every alert is tested, and its runbook_url leads to a heading of the runbook", () => {
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(firing).toSorted())
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toMatch(new RegExp(`/docs/runbook\\.md#${alert.toLowerCase()}$`))
    expect(runbook).toMatch(new RegExp(`^### ${alert}$`, "m"))
  }
})

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0
if (!hasPromtool) console.warn("SKIPPED: firing alerts by promtool, because it is not installed")
test.skipIf(!hasPromtool).each(Object.entries(discoveries))(
  "each alert fires, and no other for a stranger, where Prometheus finds proxies by %s",
  (_, labels) => {
    const count = (alert: string, value: number | undefined) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
      eval_time: "50m",
      exp_samples: value === undefined ? [] : [{ labels: "{}", value }],
    })
    const series = (lines: readonly string[]) =>
      lines.map((line) => {
        const [name = "", ...values] = line.replace("$", labels).split(/(?<=\}) /)
        return { series: name, values: values.join(" ") }
      })
    const alive = 'flagstone_build_info{job="flagstone",instance="10.0.0.2:9090"} 1x60'
    const tests = Object.entries(firing).map(([alert, lines]) => ({
      name: alert,
      interval: "1m",
      input_series: series([...lines, ...stranger, ...(alert === "FlagstoneGone" ? [] : [alive])]),
      promql_expr_test: [count(alert, 1)],
    }))
    const neverUp = {
      name: "a proxy that never came up",
      interval: "1m",
      input_series: series(["up{$} 0x60", ...stranger, alive]),
      promql_expr_test: [count("FlagstoneDown", 1)],
    }
    const neverRead = {
      name: "a proxy that starts from its cache again and again, and never reads its source",
      interval: "1m",
      input_series: series([
        'flagstone_source_good_seconds{$,source="keys"} 5x5 stale',
        `flagstone_reloads_total{$,source="keys",result="refused"} 0x5 ${"_ _ 1 ".repeat(20)}`,
        alive,
      ]),
      promql_expr_test: [count("FlagstoneSourceStale", 1)],
    }
    const behind = {
      name: "a rollback that one of two proxies has not got yet",
      interval: "1m",
      input_series: series([
        'flagstone_rolled_back{job="flagstone",instance="10.0.0.1:9090",project="shop"} 0x60',
        'flagstone_publication_timestamp_seconds{job="flagstone",instance="10.0.0.1:9090",project="shop"} -43200x60',
        'flagstone_rolled_back{job="flagstone",instance="10.0.0.2:9090",project="shop"} 1x60',
        'flagstone_publication_timestamp_seconds{job="flagstone",instance="10.0.0.2:9090",project="shop"} 0x60',
      ]),
      promql_expr_test: [count("FlagstoneRolledBack", undefined)],
    }
    const quiet = {
      name: "nothing",
      interval: "1m",
      input_series: series([
        ...[...stranger, alive, 'up{job="flagstone",instance="10.0.0.2:9090"} 1x60'],
        'flagstone_source_good_seconds{$,source="keys"} 2x60',
        'flagstone_reloads_total{$,source="keys",result="refused"} 3x60',
        'flagstone_requests_total{$,route="/readyz",status="503"} _x44 30 60 90 stale', // it drains
      ]),
      promql_expr_test: rules.map(({ alert }) => count(alert, undefined)),
    }
    const folder = mkdtempSync(join(tmpdir(), "flagstone-alerts-"))
    const cases = join(folder, "cases.yaml")
    writeFileSync(
      cases,
      stringify({
        rule_files: [file],
        evaluation_interval: "1m",
        tests: [...tests, neverUp, neverRead, behind, quiet],
      }),
    )
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", cases], { encoding: "utf8" })
    expect({ status, said: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, said: "" })
  },
)

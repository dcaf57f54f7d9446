import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { gauges, type GaugeValue } from './metrics.ts'
import { openMetrics } from './prometheus-metrics.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')

interface DashboardPanel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly action: string }
}

const board = JSON.parse(readFileSync(join(deploy, 'grafana/tributary.json'), 'utf8')) as {
  readonly panels: readonly DashboardPanel[]
}
const { groups } = parse(readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')) as {
  groups: readonly { rules: readonly AlertRule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const queries = [...board.panels.flatMap(({ targets = [] }) => targets), ...rules].map(({ expr }) => expr)

/** Keywords of PromQL, not names of metrics. */
const language = /^(?:sum|max|min|by|or|and|on|rate|increase|topk|vector|absent|time|histogram_quantile)$/u

/** The metrics of a query: the names outside of strings, labels and keywords. */
function namesIn(query: string): readonly string[] {
  const bare = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/gu, ' ')
  return [...bare.matchAll(/[a-z_]\w*/giu)].map(([name]) => name).filter((name) => !language.test(name))
}

/** Every name that `/metrics` can return. */
async function listMetricNames(): Promise<ReadonlySet<string>> {
  const metrics = openMetrics()
  metrics.recordCall({ route: '/', method: 'GET', status: 200, ms: 1 })
  metrics.recordRunEnd({ type: 'xero', result: 'completed', ms: 1 })
  metrics.wrote('xero', { inserted: 1, updated: 1, deleted: 1 })
  metrics.refreshFailed('xero')
  metrics.mailFailed('given up')
  metrics.addGauges(() => Object.keys(gauges).map((name) => ({ name, value: 1 }) as GaugeValue))
  const text = await metrics.text()
  return new Set([...text.matchAll(/^([a-z_]+)[ {]/gmu)].map(([, name = '']) => name))
}

test('the dashboard and the alert rules use existing metrics', async () => {
  const known = await listMetricNames()
  const asked = new Set(queries.flatMap(namesIn))
  expect([...asked].filter((name) => name !== 'up' && !known.has(name))).toEqual([])
  expect(asked.size).toBeGreaterThan(15)
})

test('every metric is on the dashboard, and every alert rule has a remedy', async () => {
  const onBoard = new Set(board.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))))
  const families = [...(await listMetricNames())].map((name) => name.replace(/_(?:bucket|sum|count)$/u, ''))
  const isShown = (family: string) => [...onBoard].some((name) => name === family || name.startsWith(`${family}_`))
  expect(new Set(families.filter((family) => !isShown(family)))).toEqual(new Set())
  for (const { alert, annotations } of rules)
    expect([alert, annotations.summary, annotations.action]).toEqual([alert, expect.any(String), expect.any(String)])
})

test('a query with an unknown metric is detected', async () => {
  expect(namesIn('sum by (le) (rate(tributary_no_such_total{type="x"}[5m])) / max(up)')).toEqual([
    'tributary_no_such_total',
    'up',
  ])
})

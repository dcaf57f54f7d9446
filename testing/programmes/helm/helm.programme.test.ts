/** The chart rendered by Helm. Its objects are decoded strictly by the types of Kubernetes, KEDA and the Prometheus operator. */
import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { deployedValues } from '../../deploy/chart/deployed-values.ts'
import { chartFolder, type ChartValues, type KubernetesObject, renderChart } from '../../deploy/chart/render-chart.ts'

const helmProgram = process.env['TRIBUTARY_HELM'] ?? ''
const decoder = process.env['TRIBUTARY_DECODE_OBJECTS'] ?? ''

function runHelm(command: readonly string[], values: ChartValues) {
  return spawnSync(helmProgram, [...command, chartFolder, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  })
}

function renderByHelm(values: ChartValues): string {
  const { status, stdout, stderr } = runHelm(['template', 'tributary'], values)
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** @returns the lines `accepted: …` and `refused: …`, one for each object */
function decode(objects: string): readonly string[] {
  return spawnSync(decoder, [], { input: objects, encoding: 'utf8' }).stdout.trimEnd().split('\n')
}

function sortObjects(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.toSorted((one, other) =>
    `${one.kind} ${one.metadata.name}`.localeCompare(`${other.kind} ${other.metadata.name}`),
  )
}

describe.each(Object.entries(deployedValues))('the chart with %s', (_, values) => {
  const rendered = renderByHelm(values)

  test('[SCALE-5] Helm finds no fault', () => {
    const { status, stdout, stderr } = runHelm(['lint', '--strict'], values)
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  test('[SCALE-5] every object that Helm renders has only fields that its type knows', () => {
    const lines = decode(rendered)
    expect(lines.filter((line) => !line.startsWith('accepted: '))).toEqual([])
    expect(lines.length).toBe(renderChart(values).length)
  })

  test('[SCALE-5] the reader of templates that npm test uses renders the same objects as Helm', () => {
    const byHelm = parseAllDocuments(rendered, { version: '1.1' }).map((one) => one.toJS() as KubernetesObject)
    expect(sortObjects(renderChart(values))).toEqual(sortObjects(byHelm))
  })
})

test('[SCALE-5] a misspelt field of each kind is refused', () => {
  const objects = renderChart(deployedValues['all values'] ?? {})
  const misspelt = objects.map((object) => stringify({ ...object, spec: { ...object.spec, specc: 1 } }))
  expect(misspelt.length).toBeGreaterThan(10)
  for (const object of misspelt) expect(decode(object)).toEqual([expect.stringContaining('unknown field "spec.specc"')])
})

test.each<[string, ChartValues]>([
  ['no worker', { worker: { autoscaling: { minReplicas: 0 } } }],
  ['an unknown way to scale', { worker: { autoscaling: { by: 'queue' } } }],
  ['web scaled by waiting work', { web: { autoscaling: { by: 'keda' } } }],
  ['an unknown spread', { worker: { spread: { zones: 'Always' } } }],
  ['a misspelt value', { worker: { autoscale: { enabled: true } } }],
  ['a secret among the settings', { settings: { TRIBUTARY_MASTER_KEY: 'x' } }],
])('[SCALE-5] Helm refuses %s', (_, wrong) => {
  const { status, stderr } = runHelm(['template', 'tributary'], { ...deployedValues['the fewest values'], ...wrong })
  expect(status).not.toBe(0)
  expect(stderr).toContain("don't meet the specifications of the schema")
})

test('the versions of Helm and of the types are those of the decision', () => {
  const version = execFileSync(helmProgram, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' })
  expect(version).toMatch(/^v4\.3/u)
})

/** The Helm chart, as far as it can be checked without Helm; decisions/0030 describes how it was rendered. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { allSettings } from '../../../server/src/kernel/config/all-settings.ts'
import { root } from '../installed.ts'
import { listBare, listUnknown, stopSeconds } from '../settings.ts'

const folder = join(root, 'deploy/helm/tributary')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const templates = Object.fromEntries(
  readdirSync(join(folder, 'templates')).map((name) => [name, read(`templates/${name}`)]),
)
const common = templates['_helpers.tpl'] ?? ''

interface ChartSchema {
  readonly $ref?: string
  readonly type?: unknown
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, ChartSchema>>
  readonly propertyNames?: {
    readonly allOf: readonly [{ readonly pattern: string }, { readonly not: { readonly pattern: string } }]
  }
  readonly definitions?: Readonly<Record<string, ChartSchema>>
}
const schema = JSON.parse(read('values.schema.json')) as ChartSchema
const values = parse(read('values.yaml')) as Readonly<Record<string, unknown>>

/** Paths of values that the schema lacks, and of schema properties without a value. */
function listDifferences(value: unknown, own: ChartSchema, path = ''): readonly string[] {
  const known = own.$ref === undefined ? own : (schema.definitions?.[own.$ref.replace('#/definitions/', '')] ?? {})
  if (known.properties === undefined) return []
  const has = Object.keys(value as object)
  const names = Object.keys(known.properties)
  const both = names.filter((name) => has.includes(name))
  return [
    ...has.filter((name) => !names.includes(name)).map((name) => `${path}${name}: not in the schema`),
    ...names.filter((name) => !has.includes(name)).map((name) => `${path}${name}: no value`),
    ...both.flatMap((name) =>
      listDifferences((value as Record<string, unknown>)[name], known.properties?.[name] ?? {}, `${path}${name}.`),
    ),
  ]
}

describe('the chart', () => {
  test('every value is described, every description has a value, and misspelt values are refused', () => {
    expect(listDifferences({ ...values, global: {} }, schema)).toEqual([])
    expect(listDifferences({ ...values, global: {}, webb: {} }, schema)).toEqual(['webb: not in the schema'])
    const closed = [
      schema,
      ...Object.values(schema.properties ?? {}),
      ...Object.values(schema.definitions ?? {}),
    ].filter(({ properties }) => properties !== undefined)
    expect(closed.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([])
  })

  test('every value that a template uses exists', () => {
    const usedValues = Object.values(templates).flatMap((text) =>
      [...text.matchAll(/\.Values\.([A-Za-z]+(?:\.[A-Za-z]+)?)/gu)].map(([, path = '']) => path),
    )
    const missing = usedValues.filter((path) => {
      const [first = '', second] = path.split('.')
      const held = values[first]
      // The names of settings come from the installation.
      return held === undefined || (second !== undefined && first !== 'settings' && !(second in (held as object)))
    })
    expect(missing).toEqual([])
  })

  test('the variables that it sets are settings of the server, and secrets come as files only', () => {
    const named = [...common.matchAll(/name: ((?:TRIBUTARY|DATABASE|PORT|OTEL)[A-Z_]*)\b/gu)].map(
      ([, name = '']) => name,
    )
    expect(named).toContain('DATABASE_URL_FILE')
    expect([...listUnknown(named), ...listBare(named)]).toEqual([])
    const names = schema.properties?.['settings']?.propertyNames?.allOf
    const refused = new RegExp(names?.[1].not.pattern ?? '', 'u')
    for (const { name, secret } of allSettings.filter(
      (setting) => setting.secret !== undefined || !setting.name.includes('<'),
    ))
      expect([name, refused.test(name.replace('<NAME>', 'GOOGLE'))]).toEqual([name, secret !== undefined])
  })

  test.each([
    'enableServiceLinks: false',
    'automountServiceAccountToken: false',
    'runAsNonRoot: true',
    'runAsUser: 65532',
    'fsGroup: 65532',
    'defaultMode: 0440',
  ])('every pod has %s', (line) => {
    expect(common).toContain(`${line}\n`)
    for (const name of ['deployments.yaml', 'migration.yaml'])
      expect(templates[name]).toContain('include "tributary.pod"')
  })

  test.each(['allowPrivilegeEscalation: false', 'readOnlyRootFilesystem: true', 'capabilities: { drop: [ALL] }'])(
    'every container has %s',
    (line) => {
      expect(common).toContain(`${line}\n`)
      for (const name of ['deployments.yaml', 'migration.yaml'])
        expect(templates[name]).toContain('include "tributary.container"')
    },
  )

  test('a process has more time to stop than it takes, and has liveness and readiness probes', () => {
    expect(values['terminationGracePeriodSeconds']).toBeGreaterThan(stopSeconds() + 5)
    for (const probe of [/startupProbe:.*\/healthz/u, /livenessProbe:.*\/healthz/u, /readinessProbe:.*\/readyz/u])
      expect(templates['deployments.yaml']).toMatch(probe)
  })

  test('the store is migrated before the pods of a new version start', () => {
    expect(templates['migration.yaml']).toContain('helm.sh/hook: pre-install,pre-upgrade\n')
    expect(templates['migration.yaml']).toContain('command: [node, server/src/cli.ts, migrate, run]\n')
  })

  test('the operations page describes what to do about every alert', () => {
    const rules = [...read('files/alerts.yaml').matchAll(/alert: (\w+)/gu)].map(([, name = '']) => name)
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    expect(page.match(/(?<=^\| `)Tributary\w+/gmu)?.toSorted()).toEqual(rules.toSorted())
  })

  test('its alerts are those of the documents, and its version is that of the product', () => {
    expect(read('files/alerts.yaml')).toBe(readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version })
    expect(templates['monitoring.yaml']).toContain('replacement: tributary }')
  })
})

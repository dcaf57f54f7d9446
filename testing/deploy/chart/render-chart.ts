/**
 * Renders the chart without Helm, as far as its templates need. `npm run programme -- helm` compares every object with
 * Helm's.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../installed.ts'
import { evaluatePipeline, type TemplateFunction } from './template-expressions.ts'
import { isTruthy, templateFunctions } from './template-functions.ts'
import { parseTemplate, type TemplateNode } from './template-nodes.ts'

export const chartFolder = join(root, 'deploy/helm/tributary')

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests read objects of a dozen kinds, each by a few paths.
  readonly spec: any
}

export type ChartValues = Readonly<Record<string, unknown>>

function readChart(path: string): string {
  return readFileSync(join(chartFolder, path), 'utf8')
}

/** @param values what an operator sets; maps are merged with values.yaml, as Helm does */
export function renderChart(values: ChartValues): readonly KubernetesObject[] {
  const names = readdirSync(join(chartFolder, 'templates')).toSorted()
  const parsed = names.map((name) => ({ name, ...parseTemplate(readChart(`templates/${name}`)) }))
  const definitions = new Map(parsed.flatMap(({ defined }) => [...defined]))
  const renderer = new TemplateRenderer(definitions)
  const context = createContext(merge(parse(readChart('values.yaml')) as ChartValues, values))
  return parsed
    .filter(({ name }) => name.endsWith('.yaml'))
    .flatMap(({ nodes }) =>
      parseAllDocuments(renderer.render(nodes, context, new Map([['$', context]])), { version: '1.1' }),
    )
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.toJS() as KubernetesObject | null
    })
    .filter((object) => object !== null)
}

function createContext(values: ChartValues) {
  const { name, version, appVersion } = parse(readChart('Chart.yaml')) as Readonly<Record<string, string>>
  return {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'tributary', Namespace: 'default', Service: 'Helm' },
    Files: { Get: (path: string) => readChart(path) },
  }
}

function merge(base: ChartValues, over: ChartValues): ChartValues {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key]
    return [key, isMap(below) && isMap(value) ? merge(below, value) : value]
  })
  return { ...base, ...(Object.fromEntries(merged) as ChartValues) }
}

function isMap(value: unknown): value is ChartValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

class TemplateRenderer {
  readonly #definitions: ReadonlyMap<string, readonly TemplateNode[]>
  readonly #functions: Readonly<Record<string, TemplateFunction>>

  constructor(definitions: ReadonlyMap<string, readonly TemplateNode[]>) {
    this.#definitions = definitions
    this.#functions = { ...templateFunctions, include: (name, dot) => this.#include(String(name), dot) }
  }

  render(nodes: readonly TemplateNode[], dot: unknown, variables: Map<string, unknown>): string {
    return nodes.map((node) => this.#renderNode(node, dot, variables)).join('')
  }

  #include(name: string, dot: unknown): string {
    const nodes = this.#definitions.get(name)
    if (nodes === undefined) throw new Error(`No template defines ${name}.`)
    return this.render(nodes, dot, new Map([['$', dot]]))
  }

  #renderNode(node: TemplateNode, dot: unknown, variables: Map<string, unknown>): string {
    if (node.kind === 'text') return node.text
    const value = evaluatePipeline(node.pipeline, { dot, variables, functions: this.#functions })
    if (node.kind === 'output') return String(value ?? '')
    if (node.kind === 'assign') {
      variables.set(node.variable, value)
      return ''
    }
    if (node.action === 'range') return this.#renderRange(node, value, variables)
    if (!isTruthy(value)) return this.render(node.otherwise, dot, new Map(variables))
    return this.render(node.body, node.action === 'with' ? value : dot, new Map(variables))
  }

  /** Maps are visited in the order of their keys, as in Go. */
  #renderRange(node: TemplateNode & { kind: 'block' }, value: unknown, variables: Map<string, unknown>): string {
    const entries: [unknown, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return entries
      .map(([key, item]) => {
        const named = node.variables.length === 2 ? [key, item] : [item]
        const own = node.variables.map((variable, at): [string, unknown] => [variable, named[at]])
        return this.render(node.body, item, new Map([...variables, ...own]))
      })
      .join('')
  }
}

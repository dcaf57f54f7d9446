/** A connector from a simulated Uniconta to a target. */
import { rowsOf } from '@tributary/sims/uniconta/company'
import type { SimulatedUnicontaCompany } from '@tributary/sims/uniconta/company'
import { noDate } from '@tributary/sims/uniconta/rows'
import type { UnicontaCell, UnicontaRow } from '@tributary/sims/uniconta/rows'
import type { UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { tableName } from '@tributary/engine/apis/described/odata/metadata/tables'
import { unicontaDescription } from '@tributary/engine/apis/uniconta/source'
import { type ApiConnector, connectApi } from './api-connector.ts'
import { differencesOf } from '../databases/differences.ts'
import type { DatabaseEnd, EndKind } from '../databases/database-ends.ts'
import { simulateUniconta } from './simulated-uniconta.ts'
import type { SimulatedUniconta } from './simulated-uniconta.ts'

export interface UnicontaConnector extends Omit<SimulatedUniconta, 'open'>, ApiConnector {
  /**
   * Differences between target and simulator in the entity sets that Tributary copies; empty if every cell is equal.
   */
  differences(): Promise<readonly string[]>
}

export async function connectUniconta(
  options: Parameters<typeof simulateUniconta>[0] = {},
  to: EndKind = 'postgres',
): Promise<UnicontaConnector> {
  const there = await simulateUniconta(options)
  const made = await connectApi(there, to)
  return {
    sim: there.sim,
    clock: there.clock,
    ...made,
    differences: () => unicontaDifferences(there.sim, made.target),
  }
}

export function unicontaDifferences(
  { companies }: UnicontaSimulator,
  target: Pick<DatabaseEnd, 'read'>,
): Promise<readonly string[]> {
  const offered = Object.keys(unicontaDescription.sets).filter((name) => companies.some(({ sets }) => sets.has(name)))
  const tables = offered.map(
    (set) => [tableName(unicontaDescription, set), companies.flatMap((company) => expectedRows(company, set))] as const,
  )
  return differencesOf(target, new Map(tables))
}

/** The value that means "no date" becomes null, except in a key, which cannot be null. */
function expectedRows(company: SimulatedUnicontaCompany, name: string): Record<string, UnicontaCell>[] {
  const set = company.sets.get(`${name}User`) ?? company.sets.get(name)
  const shown = (set?.properties ?? []).filter(({ type }) => type !== 'Binary' && !type.endsWith('[]'))
  const isNothing = (property: string, cell: UnicontaCell) => cell === noDate && set?.key.includes(property) !== true
  const expectedCell = (row: UnicontaRow, property: string): UnicontaCell =>
    isNothing(property, row[property] ?? null) ? null : (row[property] ?? null)
  const own = (row: UnicontaRow) =>
    Object.fromEntries(shown.map((property) => [columnOf(property.name), expectedCell(row, property.name)]))
  return rowsOf(company, name).map((row) => ({ company_id: company.id, ...own(row) }))
}

function columnOf(property: string): string {
  return property
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

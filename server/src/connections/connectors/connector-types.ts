/** Finds the source and the target that a connector's settings name. */
import { sources, targets } from '@tributary/engine/registry'
import type { ConnectorProperties, Source } from '@tributary/engine/ports/source'
import type { Target } from '@tributary/engine/ports/target'
import { Fault } from '@tributary/engine/ports/faults'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'

export { sources, targets }

/** The only type in the catalogue without connectors. It has its own pages. */
export const spreadsheet = {
  type: 'excel',
  title: 'Excel',
  description: 'Areas, versions and helper tables for planning in a spreadsheet.',
} as const

export function findSource(type: string): Source | undefined {
  return sources.find((source) => source.type === type)
}

export function requireSource(type: string): Source {
  const source = findSource(type)
  if (source !== undefined) return source
  throw new Fault('settings', {
    code: 'connector.type_unknown',
    notice: `There is no connector type ${type} here. Delete this connector, or update Tributary.`,
  })
}

/**
 * The target that the settings name, or null for the built-in warehouse. The connection names the kind under
 * `connector`, as the specification calls it; the default is SQL Server ('mssql'). Throws a `settings` Fault for an
 * unknown kind.
 */
export function chooseTarget(properties: ConnectorProperties): Target | null {
  const connection = properties['target.connectionString']
  if (typeof connection !== 'object' || connection === null) return null
  const { connector, ...rest } = connection as Record<string, unknown>
  if (Object.values(rest).every((value) => value === '' || value === null || value === undefined)) return null
  const named = typeof connector === 'string' && connector !== '' ? connector : 'mssql'
  const kind = named === 'mssql' ? 'sqlserver' : named
  const target = targets.find((known) => known.kind === kind)
  if (target !== undefined) return target
  throw new Fault('settings', {
    code: 'connector.target_unknown',
    notice: `There is no target of the kind ${kind}. Choose one of ${targets.map((known) => known.kind).join(', ')}.`,
  })
}

/** The built-in warehouse is a PostgreSQL database. */
export const warehouseKind: Target = postgresTarget

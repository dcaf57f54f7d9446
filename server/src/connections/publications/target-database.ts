/** The database that a connector loads. Connectors with the same one can be published together. */
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import { chooseTarget } from '../connectors/connector-types.ts'

export interface TargetDatabase {
  /** The same for the same database of an organisation. */
  readonly id: string
  readonly kind: 'warehouse' | 'postgres' | 'mysql' | 'sqlserver'
  /** For people. */
  readonly name: string
}

/** @param settings with the default target filled in */
export function identifyTarget(organisationId: string, settings: ConnectorProperties): TargetDatabase {
  const target = chooseTarget(settings)
  if (target === null)
    return { id: nameUuid(organisationId, 'warehouse'), kind: 'warehouse', name: 'Tributary’s own warehouse' }
  const connection = settings['target.connectionString'] as Readonly<Record<string, unknown>>
  const read = (...names: readonly string[]) => String(names.map((name) => connection[name]).find(isGiven) ?? '')
  const host = read('host', 'data source').toLowerCase()
  const database = read('database', 'initial catalog')
  const kind = target.kind as TargetDatabase['kind']
  const key = [kind, host, read('port'), database].join('\t')
  return { id: nameUuid(organisationId, key), kind, name: `${database} on ${host}` }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Turns the hits of the search into items of the palette. */
import type { SearchHit, SearchKind } from '@tributary/contract/search'
import { now } from '@tributary/client/server-clock'
import { formatRelativeTime } from '../../domain/time/relative-time.tsx'
import { paths, withConnector } from '../../paths.ts'
import type { PaletteGroup, PaletteItem, PaletteTarget } from './palette-items.ts'

const groups: Readonly<Record<SearchKind, PaletteGroup>> = {
  connector: 'Connectors',
  table: 'Tables',
  run: 'Runs',
  area: 'Areas',
  subarea: 'Subareas',
  version: 'Versions',
  helperTable: 'Helper tables',
  entity: 'Entities',
  group: 'Security groups',
  person: 'People',
}

/** The lists that show the records. They have no pages of their own. */
const lists: Partial<Record<SearchKind, string>> = {
  area: paths.areas,
  subarea: paths.subareas,
  version: paths.versions,
  helperTable: paths.helperTables,
  entity: paths.entities,
  group: paths.securityGroups,
}

/** Omits hits that lead nowhere: people, for roles that see neither the page Users nor addresses. */
export function toItems(hits: readonly SearchHit[], mayOpenUsers: boolean): readonly PaletteItem[] {
  return hits.flatMap((hit) => {
    const target = findTarget(hit, mayOpenUsers)
    return target === null ? [] : [toItem(hit, target)]
  })
}

function toItem(hit: SearchHit, target: PaletteTarget): PaletteItem {
  const { Kind, Id, Name, Connector } = hit
  const detail = detailOf(hit)
  return {
    id: [Kind, Connector?.Id, Id].join(' '),
    group: groups[Kind],
    label: Name,
    target,
    ...(detail !== null && { detail }),
    ...(Connector !== null && { connectorType: Connector.Type }),
  }
}

const statusWords = {
  QUEUED: 'Queued',
  RUNNING: 'Running',
  WAITING: 'Waiting',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
} as const

function detailOf({ Detail, Run }: SearchHit): string | null {
  if (Run === null) return Detail
  return `${statusWords[Run.Status]}, ${formatRelativeTime(Date.parse(Run.QueuedAtUtc), now())}`
}

function findTarget({ Kind, Id, Name, Detail, Connector }: SearchHit, mayOpenUsers: boolean): PaletteTarget | null {
  const list = lists[Kind]
  if (list !== undefined) return { to: searchIn(list, Name) }
  if (Connector !== null) {
    const { Id: connectorId, Type } = Connector
    if (Kind === 'run') return { to: paths.run(Type, connectorId, Id) }
    const view = Kind === 'table' ? { view: 'tables' } : {}
    return { to: `${paths.refresh(Type)}?${withConnector(new URLSearchParams(), connectorId, view)}` }
  }
  if (mayOpenUsers) return { to: searchIn(paths.adminUsers, Detail ?? Name) }
  return Detail === null ? null : { href: `mailto:${Detail}` }
}

function searchIn(list: string, name: string): string {
  return `${list}?${new URLSearchParams({ search: name.toLowerCase() })}`
}

import type { Area } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { grantsGone } from './lost-grants.ts'
import type { ListedKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const listing =
  (links: 'true' | 'false'): ListedKind<Area>['list'] =>
  (ask, signal) =>
    callPage('GET /areas', { query: { ...ask, archived: 'true', links }, ...(signal && { signal }) })

const areas: ListedKind<Area> = {
  key: 'areas',
  one: 'area',
  many: 'areas',
  adding: 'Add new Area(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deletion: 'deleteStructure',
  list: listing('false'),
  listWhole: listing('true'),
  add: (name, comOrganisationId) => call('POST /areas', { body: { name, comOrganisationId } }),
  change: (areaId, body) => call('POST /areas/:areaId', { params: { areaId }, body }),
  remove: (areaId) => call('DELETE /areas/:areaId', { params: { areaId } }),
  goesWith: ({ LinkCount, GroupCount, AllCurrentAndFuture }) =>
    `${AllCurrentAndFuture ? 'All subareas will be unlinked.' : unlinked(LinkCount)} ${grantsGone(GroupCount)}`,
  exported: [
    {
      title: 'Subareas',
      text: ({ Subareas, AllCurrentAndFuture }) =>
        AllCurrentAndFuture ? 'all current and future' : Subareas.map(({ Name }) => Name).join('; '),
    },
  ],
}

export function AreasPage() {
  return <RecordPage kind={areas} title="Areas" />
}

function unlinked(count: number): string {
  if (count === 0) return 'No subarea is linked to it.'
  return count === 1 ? '1 linked subarea will be unlinked.' : `${count} linked subareas will be unlinked.`
}

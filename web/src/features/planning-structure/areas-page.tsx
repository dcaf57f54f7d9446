import type { Area } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { describeLostGrants } from './lost-grants.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const listAreas =
  (links: 'true' | 'false'): ListedRecordKind<Area>['list'] =>
  (ask, signal) =>
    callPage('GET /areas', { query: { ...ask, archived: 'true', links }, ...(signal && { signal }) })

const areaKind: ListedRecordKind<Area> = {
  key: 'areas',
  one: 'area',
  many: 'areas',
  addLabel: 'Add new Area(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deleteCapability: 'deleteStructure',
  list: listAreas('false'),
  listWithLinks: listAreas('true'),
  add: (name, comOrganisationId) => call('POST /areas', { body: { name, comOrganisationId } }),
  change: (areaId, body) => call('POST /areas/:areaId', { params: { areaId }, body }),
  remove: (areaId) => call('DELETE /areas/:areaId', { params: { areaId } }),
  describeDeletion: ({ LinkCount, GroupCount, AllCurrentAndFuture }) =>
    `${AllCurrentAndFuture ? 'All subareas will be unlinked.' : unlinkedSubareas(LinkCount)} ${describeLostGrants(GroupCount)}`,
  exportColumns: [
    {
      title: 'Subareas',
      text: ({ Subareas, AllCurrentAndFuture }) =>
        AllCurrentAndFuture ? 'all current and future' : Subareas.map(({ Name }) => Name).join('; '),
    },
  ],
}

export function AreasPage() {
  return <RecordPage kind={areaKind} title="Areas" />
}

function unlinkedSubareas(count: number): string {
  if (count === 0) return 'No subarea is linked to it.'
  return count === 1 ? '1 linked subarea will be unlinked.' : `${count} linked subareas will be unlinked.`
}

import type { Area } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { describeLostGrants, describeLostLinks } from './deletion-effects.ts'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const areaKind: ListedRecordKind<Area> = {
  key: 'areas',
  one: 'area',
  many: 'areas',
  about: recordDescriptions.area,
  gaps: ['areasWithoutSubareas', 'areasWithoutGroup'],
  addLabel: 'Add new Area(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deleteCapability: 'deleteStructure',
  list: (query, request, links) => callPage('GET /areas', { query: { ...query, archived: 'true', links }, ...request }),
  add: (name, comOrganisationId) => call('POST /areas', { body: { name, comOrganisationId } }),
  change: (areaId, body) => call('POST /areas/:areaId', { params: { areaId }, body }),
  remove: (areaId) => call('DELETE /areas/:areaId', { params: { areaId } }),
  describeDeletion: ({ LinkCount, GroupCount, AllCurrentAndFuture }) =>
    `${AllCurrentAndFuture ? 'All subareas will be unlinked.' : describeLostLinks(LinkCount, 'subarea')} ${describeLostGrants(GroupCount)}`,
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

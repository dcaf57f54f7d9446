import type { Subarea } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { describeLostGrants, describeLostLinks } from './deletion-effects.ts'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const subareaKind: ListedRecordKind<Subarea> = {
  key: 'subAreas',
  one: 'subarea',
  many: 'subareas',
  about: recordDescriptions.subarea,
  gaps: ['subareasWithoutAreas'],
  addLabel: 'Add new Subarea(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deleteCapability: 'deleteStructure',
  list: (query, request, links) =>
    callPage('GET /subareas', { query: { ...query, archived: 'true', links }, ...request }),
  add: (name, comOrganisationId) => call('POST /subareas', { body: { name, comOrganisationId, listOrder: 1 } }),
  change: (subareaId, body) =>
    call('POST /subareas/:subareaId', { params: { subareaId }, body: { ...body, listOrder: 1 } }),
  remove: (subareaId) => call('DELETE /subareas/:subareaId', { params: { subareaId } }),
  describeDeletion: ({ LinkCount, GroupCount }) =>
    `${describeLostLinks(LinkCount, 'area')} ${describeLostGrants(GroupCount)}`,
  exportColumns: [
    { title: 'Areas', text: ({ AreasSubareas }) => AreasSubareas.map(({ Area }) => Area.Name).join('; ') },
  ],
}

export function SubareasPage() {
  return <RecordPage kind={subareaKind} title="Subareas" />
}

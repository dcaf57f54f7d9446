import type { Subarea } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { describeLostGrants } from './lost-grants.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const listSubareas =
  (links: 'true' | 'false'): ListedRecordKind<Subarea>['list'] =>
  (ask, signal) =>
    callPage('GET /subareas', { query: { ...ask, archived: 'true', links }, ...(signal && { signal }) })

const subareaKind: ListedRecordKind<Subarea> = {
  key: 'subAreas',
  one: 'subarea',
  many: 'subareas',
  addLabel: 'Add new Subarea(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deleteCapability: 'deleteStructure',
  list: listSubareas('false'),
  listWithLinks: listSubareas('true'),
  add: (name, comOrganisationId) => call('POST /subareas', { body: { name, comOrganisationId, listOrder: 1 } }),
  change: (subareaId, body) =>
    call('POST /subareas/:subareaId', { params: { subareaId }, body: { ...body, listOrder: 1 } }),
  remove: (subareaId) => call('DELETE /subareas/:subareaId', { params: { subareaId } }),
  describeDeletion: ({ LinkCount, GroupCount }) => `${unlinkedAreas(LinkCount)} ${describeLostGrants(GroupCount)}`,
  exportColumns: [
    { title: 'Areas', text: ({ AreasSubareas }) => AreasSubareas.map(({ Area }) => Area.Name).join('; ') },
  ],
}

export function SubareasPage() {
  return <RecordPage kind={subareaKind} title="Subareas" />
}

function unlinkedAreas(count: number): string {
  if (count === 0) return 'No area is linked to it.'
  return count === 1 ? '1 linked area will be unlinked.' : `${count} linked areas will be unlinked.`
}

import type { Subarea } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { grantsGone } from './lost-grants.ts'
import type { ListedKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const listing =
  (links: 'true' | 'false'): ListedKind<Subarea>['list'] =>
  (ask, signal) =>
    callPage('GET /subareas', { query: { ...ask, archived: 'true', links }, ...(signal && { signal }) })

const subareas: ListedKind<Subarea> = {
  key: 'subAreas',
  one: 'subarea',
  many: 'subareas',
  adding: 'Add new Subarea(s)',
  nameLabel: 'Name',
  statuses: ['active', 'archived'],
  deletion: 'deleteStructure',
  list: listing('false'),
  listWhole: listing('true'),
  add: (name, comOrganisationId) => call('POST /subareas', { body: { name, comOrganisationId, listOrder: 1 } }),
  change: (subareaId, body) =>
    call('POST /subareas/:subareaId', { params: { subareaId }, body: { ...body, listOrder: 1 } }),
  remove: (subareaId) => call('DELETE /subareas/:subareaId', { params: { subareaId } }),
  goesWith: ({ LinkCount, GroupCount }) => `${unlinked(LinkCount)} ${grantsGone(GroupCount)}`,
  exported: [{ title: 'Areas', text: ({ AreasSubareas }) => AreasSubareas.map(({ Area }) => Area.Name).join('; ') }],
}

export function SubareasPage() {
  return <RecordPage kind={subareas} title="Subareas" />
}

function unlinked(count: number): string {
  if (count === 0) return 'No area is linked to it.'
  return count === 1 ? '1 linked area will be unlinked.' : `${count} linked areas will be unlinked.`
}

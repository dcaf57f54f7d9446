import type { Entity } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import type { ListedKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const entities: ListedKind<Entity> = {
  key: 'entities',
  one: 'entity',
  many: 'entities',
  adding: 'Add Entity',
  nameLabel: 'Entity Name',
  statuses: [],
  deletion: 'editStructure',
  list: (query, signal) => callPage('GET /entities', { query, ...(signal && { signal }) }),
  add: (name, comOrganisationId) => call('POST /entities', { body: { name, comOrganisationId } }),
  change: (entityId, body) => call('POST /entities/:entityId', { params: { entityId }, body }),
  remove: (entityId) => call('DELETE /entities/:entityId', { params: { entityId } }),
  goesWith: () => 'Whoever it is assigned to loses it. Rows that were loaded stay in the database.',
  exported: [],
}

export function EntitiesPage() {
  const { organisation } = useWorkspace()
  return <RecordPage kind={entities} title={`Entities for organisation ${organisation.CompanyName}`} addsOne />
}

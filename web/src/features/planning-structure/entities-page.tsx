import type { Entity } from '@tributary/contract/planning-records'
import { call, callPage } from '../../api/call.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { recordDescriptions } from '../../domain/structure-map/record-descriptions.ts'
import type { ListedRecordKind } from './record-kind.ts'
import { RecordPage } from './record-page.tsx'

const entityKind: ListedRecordKind<Entity> = {
  key: 'entities',
  one: 'entity',
  many: 'entities',
  about: recordDescriptions.entity,
  gaps: ['peopleWithoutEntity'],
  addLabel: 'Add Entity',
  nameLabel: 'Entity Name',
  statuses: [],
  deleteCapability: 'editStructure',
  list: (query, request) => callPage('GET /entities', { query, ...request }),
  add: (name, comOrganisationId) => call('POST /entities', { body: { name, comOrganisationId } }),
  change: (entityId, body) => call('POST /entities/:entityId', { params: { entityId }, body }),
  remove: (entityId) => call('DELETE /entities/:entityId', { params: { entityId } }),
  describeDeletion: () => 'Users lose access to it. Loaded rows stay in the database.',
  exportColumns: [],
}

export function EntitiesPage() {
  const { organisation } = useWorkspace()
  return <RecordPage kind={entityKind} title={`Entities for organisation ${organisation.CompanyName}`} addsOne />
}

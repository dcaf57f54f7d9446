/** Adds, changes and deletes records of any kind. */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { ApiFault, badField, nameTakenFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import { type DerivedNames, type RecordKindName, type RecordKind, type RecordsByKind, version } from './record-kinds.ts'
import { claimTable } from './physical-tables.ts'
import {
  deleteRecord,
  getRecord,
  findStatus,
  insertRecord,
  lockRecord,
  updateRecord,
  type PlanningRecordReference,
  type RecordValues,
} from './queries.ts'

interface RecordOfKind<Name extends RecordKindName> {
  readonly kind: RecordKind<Name>
}

export async function addRecord<Name extends RecordKindName>(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { kind, ...values }: RecordValues & RecordOfKind<Name>,
): Promise<RecordsByKind[Name]> {
  const { organisationId } = auditContext
  const derived = deriveNames(kind, values)
  const status = await resolveStatus(db, kind, values.statusId)
  // Lock the version, so that it is not deleted while a milestone is added to it.
  if (values.versionId !== undefined) {
    const { name, status: versionStatus } = await lockRecord(db, organisationId, version, { id: values.versionId })
    if (versionStatus.name === 'archived')
      throw new ApiFault('versionArchived', { values: { name }, fields: { versionId: 'is archived' } })
  }
  const id = await insertRecord(db, organisationId, kind, { ...values, ...derived?.columns })
  if (id === undefined) throw nameTakenFault(values.name)
  if (derived !== undefined) await claimTable(db, organisationId, { ...derived, id })
  const after = { name: values.name, status: status?.name ?? 'active' }
  await auditChange(db, services, auditContext, { kind, event: 'created', id, detail: { after } })
  return getRecord(db, organisationId, kind, id)
}

/** Fields that are equal to the stored ones change nothing. */
export interface RecordChange extends Omit<RecordValues, 'name'>, PlanningRecordReference {
  readonly name?: string | undefined
}

export async function changeRecord<Name extends RecordKindName>(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { kind, ...change }: RecordChange & RecordOfKind<Name>,
): Promise<RecordsByKind[Name]> {
  const { organisationId } = auditContext
  const { id } = change
  const stored = await lockRecord(db, organisationId, kind, change)
  const name = change.name ?? stored.name
  const derived = deriveNames(kind, { ...change, name })
  const status = (await resolveStatus(db, kind, change.statusId)) ?? stored.status
  if (name !== stored.name || status.id !== stored.status.id) {
    await updateRecord(db, organisationId, kind, { id, name, statusId: status.id, ...derived?.columns }).catch(
      (error: unknown) => {
        throw isUniqueViolation(error) ? nameTakenFault(name) : error
      },
    )
    if (derived !== undefined) await claimTable(db, organisationId, { ...derived, id })
    const detail = { before: { name: stored.name, status: stored.status.name }, after: { name, status: status.name } }
    await auditChange(db, services, auditContext, { kind, event: 'updated', id, detail })
  }
  return getRecord(db, organisationId, kind, id)
}

/** Deletes the record with its links, grants and assignments. */
export async function removeRecord(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { kind, id }: { readonly kind: RecordKind; readonly id: string },
): Promise<void> {
  const { name, status } = await lockRecord(db, auditContext.organisationId, kind, { id })
  await deleteRecord(db, auditContext.organisationId, kind, id)
  await auditChange(db, services, auditContext, {
    kind,
    event: 'deleted',
    id,
    detail: { before: { name, status: status.name } },
  })
}

/** Derives further columns from the name. A caller may send them, but only with the derived value. */
function deriveNames(
  { deriveNames: from }: RecordKind,
  { name, inputTableName: sent }: RecordValues,
): DerivedNames | undefined {
  const derived = from?.(name)
  const inputTableName = derived?.columns.inputTableName
  if (sent !== undefined && sent !== inputTableName)
    throw badField(
      'inputTableName',
      `is derived from the name and must be ${inputTableName}; send that, or leave it out`,
    )
  return derived
}

/** Returns undefined if no status is sent. Throws `badInput` for a status that the kind does not have. */
async function resolveStatus(db: Db, { statuses }: RecordKind, statusId: string | undefined) {
  if (statusId === undefined) return undefined
  const status = await findStatus(db, statusId)
  if (status === undefined || !statuses.some((name) => name === status.name))
    throw badField('statusId', `must be the id of one of these statuses: ${statuses.join(', ')}`)
  return status
}

interface AuditedRecordChange {
  readonly kind: RecordKind
  readonly event: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly detail: { readonly before?: object; readonly after?: object }
}

async function auditChange(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { kind: { table }, event, id, detail }: AuditedRecordChange,
): Promise<void> {
  const action = `structure.${event}` as const
  await audit.record(db, auditContext, { action, object: { type: table, id }, detail })
}

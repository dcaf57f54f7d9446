/** Adding, changing and deleting records: the rules that all kinds share. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { AppServices } from '../../app-services.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type Derived, type KindName, type RecordKind, type Shown, version } from './record-kinds.ts'
import { claimTable } from './physical-tables.ts'
import {
  deleteRecord,
  findRecord,
  findStatus,
  insertRecord,
  lockRecord,
  type Stored,
  updateRecord,
  type Which,
  type Written,
} from './queries.ts'

interface RecordOfKind<Name extends KindName> {
  readonly kind: RecordKind<Name>
}

export async function addRecord<Name extends KindName>(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { kind, ...written }: Written & RecordOfKind<Name>,
): Promise<Shown[Name]> {
  const { organisationId } = auditContext
  const derived = derive(kind, written)
  const status = await newStatus(db, kind, written.statusId)
  // Held, so that a version is not deleted while a milestone of it is added.
  if (written.versionId !== undefined) {
    const { name, status: held } = await lock(db, organisationId, version, { id: written.versionId })
    if (held.name === 'archived')
      throw new ApiFault('versionArchived', { values: { name }, fields: { versionId: 'is archived' } })
  }
  const id = await insertRecord(db, organisationId, kind, { ...written, ...derived?.columns })
  if (id === undefined) throw nameTaken(written.name)
  if (derived !== undefined) await claimTable(db, organisationId, { ...derived, id })
  const after = { name: written.name, status: status?.name ?? 'active' }
  await record(db, services, auditContext, { kind, done: 'created', id, detail: { after } })
  return getRecord(db, organisationId, kind, id)
}

/** What is sent as it was is no change. */
export interface RecordChange extends Omit<Written, 'name'>, Which {
  readonly name?: string | undefined
}

export async function changeRecord<Name extends KindName>(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { kind, ...change }: RecordChange & RecordOfKind<Name>,
): Promise<Shown[Name]> {
  const { organisationId } = auditContext
  const { id } = change
  const stored = await lock(db, organisationId, kind, change)
  const name = change.name ?? stored.name
  const derived = derive(kind, { ...change, name })
  const status = (await newStatus(db, kind, change.statusId)) ?? stored.status
  if (name !== stored.name || status.id !== stored.status.id) {
    await updateRecord(db, organisationId, kind, { id, name, statusId: status.id, ...derived?.columns }).catch(
      (error: unknown) => {
        throw (error as { readonly code?: string }).code === '23505' ? nameTaken(name) : error
      },
    )
    if (derived !== undefined) await claimTable(db, organisationId, { ...derived, id })
    const detail = { before: { name: stored.name, status: stored.status.name }, after: { name, status: status.name } }
    await record(db, services, auditContext, { kind, done: 'updated', id, detail })
  }
  return getRecord(db, organisationId, kind, id)
}

/** Links, grants and assignments go with it. */
export async function removeRecord(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { kind, id }: { readonly kind: RecordKind; readonly id: string },
): Promise<void> {
  const { name, status } = await lock(db, auditContext.organisationId, kind, { id })
  await deleteRecord(db, auditContext.organisationId, kind, id)
  await record(db, services, auditContext, {
    kind,
    done: 'deleted',
    id,
    detail: { before: { name, status: status.name } },
  })
}

/** What follows from the name is not for the caller to choose, only to know. */
function derive({ derive: from }: RecordKind, { name, inputTableName: sent }: Written): Derived | undefined {
  const derived = from?.(name)
  const inputTableName = derived?.columns.inputTableName
  if (sent !== undefined && sent !== inputTableName)
    throw badField('inputTableName', `follows from the name and is ${inputTableName}; send that, or leave it out`)
  return derived
}

/** Undefined where none is asked for. */
async function newStatus(
  db: Db,
  { statuses }: RecordKind,
  statusId: string | undefined,
): Promise<Stored['status'] | undefined> {
  if (statusId === undefined) return undefined
  const status = await findStatus(db, statusId)
  if (status === undefined || !statuses.some((name) => name === status.name))
    throw badField('statusId', `must be the id of one of these statuses: ${statuses.join(', ')}`)
  return status
}

async function lock(db: Db, organisationId: string, kind: RecordKind, which: Which): Promise<Stored> {
  const stored = await lockRecord(db, organisationId, kind, which)
  if (stored === undefined) throw new ApiFault('notFound')
  return stored
}

async function getRecord<Name extends KindName>(
  db: Db,
  organisationId: string,
  kind: RecordKind<Name>,
  id: string,
): Promise<Shown[Name]> {
  const found = await findRecord(db, organisationId, kind, id)
  if (found === undefined) throw new ApiFault('notFound')
  return found
}

function nameTaken(name: string): ApiFault {
  return new ApiFault('nameTaken', { values: { name }, fields: { name: 'is taken' } })
}

interface Done {
  readonly kind: RecordKind
  readonly done: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly detail: { readonly before?: object; readonly after?: object }
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { kind: { table }, done, id, detail }: Done,
): Promise<void> {
  const action = `structure.${done}` as const
  await audit.record(db, auditContext, { action, outcome: 'success', object: { type: table, id }, detail })
}

/** Stores, saves and deletes descriptions of the workbench. */
import type { WorkbenchText } from '@tributary/contract/workbench'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, nameTakenFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import {
  deleteDescription,
  type DescriptionChange,
  findDescription,
  insertDescription,
  lockDescription,
  updateDescription,
} from './queries.ts'

type SaveServices = Pick<AppServices, 'audit' | 'clock'>
type ProviderContext = AuditContext<null, Actor>

export interface DescriptionInput {
  readonly name: string
  readonly text: string
}

export async function createDescription(
  db: Db,
  services: SaveServices,
  auditContext: ProviderContext,
  input: DescriptionInput,
): Promise<Camel<WorkbenchText>> {
  const id = await insertDescription(db, changeOf(services, auditContext, input)).catch(toNameTaken(input.name))
  await recordSaved(db, services, auditContext, { id, before: null, after: input })
  return requireFound(await findDescription(db, id))
}

/** @throws `changedMeanwhile` unless the stored revision is the one that the caller read */
export async function saveDescription(
  db: Db,
  services: SaveServices,
  auditContext: ProviderContext,
  { id, revision, ...input }: DescriptionInput & { readonly id: string; readonly revision: number },
): Promise<Camel<WorkbenchText>> {
  const stored = requireFound(await lockDescription(db, id))
  if (stored.revision !== revision)
    throw new ApiFault('changedMeanwhile', { values: { change: `it is called ${stored.name} now` } })
  if (stored.name !== input.name || stored.text !== input.text) {
    const change = { ...changeOf(services, auditContext, input), revision: revision + 1 }
    await updateDescription(db, id, change).catch(toNameTaken(input.name))
    await recordSaved(db, services, auditContext, { id, before: stored, after: input })
  }
  return requireFound(await findDescription(db, id))
}

export async function removeDescription(
  db: Db,
  { audit }: SaveServices,
  auditContext: ProviderContext,
  id: string,
): Promise<void> {
  const { name } = requireFound(await lockDescription(db, id))
  await deleteDescription(db, id)
  const object = { type: 'workbench_description', id }
  await audit.record(db, auditContext, {
    action: 'workbench.description_deleted',
    object,
    detail: { before: { name } },
  })
}

function changeOf({ clock }: SaveServices, { actor }: ProviderContext, input: DescriptionInput): DescriptionChange {
  return { ...input, changedAt: isoTime(clock.now()), changedBy: actor.userId }
}

function toNameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? nameTakenFault(name) : error
  }
}

interface SavedDescription {
  readonly id: string
  readonly before: DescriptionInput | null
  readonly after: DescriptionInput
}

/** The text is in the table, and may be long. */
async function recordSaved(
  db: Db,
  { audit }: SaveServices,
  auditContext: ProviderContext,
  { id, before, after }: SavedDescription,
): Promise<void> {
  const object = { type: 'workbench_description', id }
  const detail = {
    ...(before !== null && { before: { name: before.name } }),
    after: { name: after.name, characters: after.text.length },
  }
  await audit.record(db, auditContext, { action: 'workbench.description_saved', object, detail })
}

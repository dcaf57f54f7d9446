/** Creates, changes, archives and restores organisations. */
import type { Organisation } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import type { users } from '@tributary/contract/users'
import type * as z from 'zod'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { nameTakenFault } from '../../kernel/http/api-fault.ts'
import { insertOrganisation, requireTimeZone } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import { nextFire } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import { cancelRuns, updateConnector } from '../../connections/connectors/connector-queries.ts'
import { getOrganisation, lockConnectors } from './queries.ts'

export async function createOrganisation(
  { store, audit }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: AuditContext,
  { companyName, timeZone }: z.output<typeof users.createOrganisation.body>,
): Promise<Camel<Organisation>> {
  if (timeZone !== undefined) requireTimeZone('timeZone', timeZone)
  // Across: the organisation does not exist yet.
  return store.across(async (db) => {
    const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== undefined && { timeZone }) })
    await audit.record(db, auditContext, { organisationId, action: 'organisation.created' })
    return getOrganisation(db, organisationId)
  })
}

/** Archives or restores the organisation. Idempotent. */
export function setArchived(
  { store, audit }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: AuditContext,
  { organisationId, archived }: { readonly organisationId: string; readonly archived: boolean },
): Promise<Camel<Organisation>> {
  return store.within(organisationId, async (db) => {
    const former = await getOrganisation(db, organisationId)
    if (former.archived === archived) return former
    await (archived ? archiveOrganisation : restoreOrganisation)(db, organisationId)
    const action = archived ? 'organisation.archived' : 'organisation.restored'
    await audit.record(db, auditContext, { organisationId, action })
    return getOrganisation(db, organisationId)
  })
}

/** Returns the names of the changed fields. Throws `nameTaken` and `badInput`. */
export async function changeOrganisation(
  db: Db,
  organisationId: string,
  change: z.output<typeof users.updateOrganisation.body>,
): Promise<readonly string[]> {
  if (change.timeZone !== undefined) requireTimeZone('timeZone', change.timeZone)
  // Lock the row, so that a concurrent change does not overwrite the fields that were not sent.
  await db.selectFrom('organisation').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute()
  const former = await getOrganisation(db, organisationId)
  const { companyName = former.companyName, timeZone = former.timeZone } = change
  const requiresMfa = change.requireMultiFactorAuthentication ?? former.requireMultiFactorAuthentication
  try {
    await db
      .updateTable('organisation')
      .set({ companyName, timeZone, requiresMfa })
      .where('id', '=', organisationId)
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTakenFault(companyName, 'companyName') : error
  }
  if (timeZone !== former.timeZone) await rescheduleConnectors(db, organisationId, timeZone)
  const current = { companyName, timeZone, requireMultiFactorAuthentication: requiresMfa }
  return (Object.keys(current) as (keyof typeof current)[]).filter((name) => current[name] !== former[name])
}

/** Ends the organisation's runs. Keeps its schedules, so that it can be restored. */
async function archiveOrganisation(db: Db, organisationId: string): Promise<void> {
  await db.updateTable('organisation').set({ archivedAt: new Date() }).where('id', '=', organisationId).execute()
  await lockConnectors(db, organisationId)
  await cancelRuns(db, organisationId, { notice: 'The organisation was archived.' }).execute()
}

/** Runs that came due while it was archived are skipped: each schedule resumes with its next time. */
async function restoreOrganisation(db: Db, organisationId: string): Promise<void> {
  const { timeZone } = await getOrganisation(db, organisationId)
  await db.updateTable('organisation').set({ archivedAt: null }).where('id', '=', organisationId).execute()
  await rescheduleConnectors(db, organisationId, timeZone)
}

/** Recomputes the next runs. Schedules without one are paused until a person acts, and stay paused. */
async function rescheduleConnectors(db: Db, organisationId: string, timeZone: string): Promise<void> {
  for (const { id, schedule, nextRunAt } of await lockConnectors(db, organisationId)) {
    if (schedule === null || nextRunAt === null) continue
    const next = nextFire(schedule, timeZone, new Date())
    await updateConnector(db, { organisationId, connectorId: id }, { nextRunAt: next })
  }
}

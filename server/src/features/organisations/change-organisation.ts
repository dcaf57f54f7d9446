/** Making an organisation, changing it, archiving it, bringing it back. */
import type { Organisation } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { insertOrganisation, requireTimeZone } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import { nextFire } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { endAllRuns, getOrganisation, lockConnectors, setNextRun } from './queries.ts'

export interface OrganisationChange {
  readonly companyName?: string | undefined
  readonly timeZone?: string | undefined
  readonly requireMultiFactorAuthentication?: boolean | undefined
}

export async function createOrganisation(
  { store, audit }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: AuditContext,
  { companyName, timeZone }: { readonly companyName: string; readonly timeZone?: string | undefined },
): Promise<Camel<Organisation>> {
  if (timeZone !== undefined) requireTimeZone('timeZone', timeZone)
  // Across: the organisation is not there yet.
  return store.across(async (db) => {
    const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== undefined && { timeZone }) })
    await audit.record(db, auditContext, { organisationId, action: 'organisation.created', outcome: 'success' })
    return getOrganisation(db, organisationId)
  })
}

/** Nothing changes for one that is as it is wished. */
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
    await audit.record(db, auditContext, { organisationId, action, outcome: 'success' })
    return getOrganisation(db, organisationId)
  })
}

/** Answers the names of what is different now. */
export async function changeOrganisation(
  db: Db,
  organisationId: string,
  change: OrganisationChange,
): Promise<readonly string[]> {
  if (change.timeZone !== undefined) requireTimeZone('timeZone', change.timeZone)
  // What was not sent stays as it is, which nobody may change meanwhile.
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
    if ((error as { readonly code?: string }).code !== '23505') throw error
    throw new ApiFault('nameTaken', { values: { name: companyName }, fields: { companyName: 'is taken' } })
  }
  if (timeZone !== former.timeZone) await moveSchedules(db, organisationId, timeZone)
  const current = { companyName, timeZone, requireMultiFactorAuthentication: requiresMfa }
  return (Object.keys(current) as (keyof typeof current)[]).filter((name) => current[name] !== former[name])
}

/** Nobody works in it and nothing runs any more; its schedules keep their places, for bringing it back. */
async function archiveOrganisation(db: Db, organisationId: string): Promise<void> {
  await db.updateTable('organisation').set({ archivedAt: new Date() }).where('id', '=', organisationId).execute()
  await lockConnectors(db, organisationId)
  await endAllRuns(db, organisationId, 'The organisation was archived.')
}

/** What came due in the meantime is not made up for: each schedule goes on with its next time. */
async function restoreOrganisation(db: Db, organisationId: string): Promise<void> {
  const { timeZone } = await getOrganisation(db, organisationId)
  await db.updateTable('organisation').set({ archivedAt: null }).where('id', '=', organisationId).execute()
  await moveSchedules(db, organisationId, timeZone)
}

/** A schedule without a next time waits for a person, and goes on waiting. */
async function moveSchedules(db: Db, organisationId: string, timeZone: string): Promise<void> {
  for (const { id, schedule, nextRunAt } of await lockConnectors(db, organisationId)) {
    if (schedule === null || nextRunAt === null) continue
    await setNextRun(db, organisationId, id, nextFire(schedule, timeZone, new Date()))
  }
}

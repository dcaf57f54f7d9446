import type { PersonalDataExport } from '@tributary/contract/privacy'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext, CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isMember } from '../../identity/people/members.ts'
import { personalDataTables, type DataSubject, organisationTables } from './personal-data.ts'
import { readPage } from './keyset-pagination.ts'

type ExportPersonalDataServices = Pick<AppServices, 'audit' | 'clock' | 'store'>

interface PersonalDataExportRequest {
  readonly userId: string
  readonly auditContext: AuditContext
  /** `next` of the previous page. */
  readonly after: string | undefined
}

/** Exports all data about the user, in every organisation and outside of them. */
export function exportUser(
  { audit, clock, store }: ExportPersonalDataServices,
  { userId, auditContext, after }: PersonalDataExportRequest,
): Promise<Camel<PersonalDataExport>> {
  // Across: users belong to no single organisation.
  return store.across(async (db) => {
    const page = await readPage(db, await getDataSubject(db, userId), { from: personalDataTables, after })
    await audit.record(db, auditContext, {
      organisationId: null,
      action: 'data.export_downloaded',
      object: userObject(userId),
    })
    return { person: userId, exportedAtUtc: isoTime(clock.now()), ...page }
  })
}

/**
 * Exports the data of one organisation about its member. A superadmin gets everything.
 *
 * @throws `notFound` if the user is not a member.
 */
export function exportMember(
  services: ExportPersonalDataServices,
  request: PersonalDataExportRequest & { readonly auditContext: CallerContext },
): Promise<Camel<PersonalDataExport>> {
  const { actor, organisationId } = request.auditContext
  if (actor.providerRole === 'superadmin') return exportUser(services, request)
  const { audit, clock, store } = services
  const { userId, auditContext, after } = request
  return store.within(organisationId, async (db) => {
    if (!(await isMember(db, organisationId, userId))) throw notFound()
    const page = await readPage(db, await getDataSubject(db, userId), { from: organisationTables, after })
    await audit.record(db, auditContext, { action: 'data.export_downloaded', object: userObject(userId) })
    return { person: userId, exportedAtUtc: isoTime(clock.now()), ...page }
  })
}

const userObject = (id: string) => ({ type: 'user', id })

function getDataSubject(db: Db, userId: string): Promise<DataSubject> {
  return db
    .selectFrom('portalUser')
    .select(['id', 'emailAddress'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(notFound)
}

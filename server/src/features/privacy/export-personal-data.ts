import type { PersonalDataExport } from '@tributary/contract/privacy'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { personalDataTables, type DataSubject } from './personal-data.ts'
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
      outcome: 'success',
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
  request: PersonalDataExportRequest & { readonly auditContext: AuditContext<string, Actor> },
): Promise<Camel<PersonalDataExport>> {
  const { actor, organisationId } = request.auditContext
  if (actor.providerRole === 'superadmin') return exportUser(services, request)
  const { audit, clock, store } = services
  const { userId, auditContext, after } = request
  return store.within(organisationId, async (db) => {
    const member = await db.selectFrom('membership').select('userId').where('userId', '=', userId).executeTakeFirst()
    if (member === undefined) throw new ApiFault('notFound')
    const page = await readPage(db, await getDataSubject(db, userId), { from: organisationTables, after })
    await audit.record(db, auditContext, {
      action: 'data.export_downloaded',
      outcome: 'success',
      object: userObject(userId),
    })
    return { person: userId, exportedAtUtc: isoTime(clock.now()), ...page }
  })
}

const organisationTables = personalDataTables.filter(({ belongsTo }) => belongsTo === 'organisation')
const userObject = (id: string) => ({ type: 'user', id })

async function getDataSubject(db: Db, userId: string): Promise<DataSubject> {
  const person = await db
    .selectFrom('portalUser')
    .select(['id', 'emailAddress'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (person === undefined) throw new ApiFault('notFound')
  return person
}

import type { PersonalDataExport } from '@tributary/contract/privacy'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { holdings, type Subject } from './personal-data.ts'
import { readPage } from './read-in-pages.ts'

type ExportPersonalDataServices = Pick<AppServices, 'audit' | 'clock' | 'store'>

interface PersonalDataExportRequest {
  readonly userId: string
  readonly auditContext: AuditContext
  /** What the page before said comes next. */
  readonly after: string | undefined
}

/** Everything that is held about the person, in every organisation and beside them. */
export function exportPerson(
  { audit, clock, store }: ExportPersonalDataServices,
  { userId, auditContext, after }: PersonalDataExportRequest,
): Promise<Camel<PersonalDataExport>> {
  // Across: a person belongs to no organisation.
  return store.across(async (db) => {
    const page = await readPage(db, await getSubject(db, userId), { from: holdings, after })
    await audit.record(db, auditContext, {
      organisationId: null,
      action: 'data.export_downloaded',
      outcome: 'success',
      object: userOf(userId),
    })
    return { person: userId, exportedAtUtc: isoTime(clock.now()), ...page }
  })
}

/** What one organisation holds about its member; throws `notFound` for somebody who is none. */
export function exportMember(
  services: ExportPersonalDataServices,
  asked: PersonalDataExportRequest & { readonly auditContext: AuditContext<string, Actor> },
): Promise<Camel<PersonalDataExport>> {
  const { actor, organisationId } = asked.auditContext
  if (actor.providerRole === 'superadmin') return exportPerson(services, asked)
  const { audit, clock, store } = services
  const { userId, auditContext, after } = asked
  return store.within(organisationId, async (db) => {
    const member = await db.selectFrom('membership').select('userId').where('userId', '=', userId).executeTakeFirst()
    if (member === undefined) throw new ApiFault('notFound')
    const page = await readPage(db, await getSubject(db, userId), { from: ofOrganisations, after })
    await audit.record(db, auditContext, {
      action: 'data.export_downloaded',
      outcome: 'success',
      object: userOf(userId),
    })
    return { person: userId, exportedAtUtc: isoTime(clock.now()), ...page }
  })
}

const ofOrganisations = holdings.filter(({ belongsTo }) => belongsTo === 'organisation')
const userOf = (id: string) => ({ type: 'user', id })

async function getSubject(db: Db, userId: string): Promise<Subject> {
  const person = await db
    .selectFrom('portalUser')
    .select(['id', 'emailAddress'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (person === undefined) throw new ApiFault('notFound')
  return person
}

/** Tells the administrators of every organisation concerned that a grant has died, or is about to. */
import { sql } from 'kysely'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import { authorisationEnded, authorisationEnding } from './grant-email-templates.ts'
import type { Db } from '../../kernel/store/store.ts'

interface Post {
  readonly mailer: EmailOutbox
  readonly publicUrl: string
}

interface Ended {
  readonly grantId: string
  /** As people call the source. */
  readonly title: string
}

/** Part of the transaction that marks the death, so it is told once. */
export async function tellDeath(db: Db, { mailer, publicUrl }: Post, { grantId, title }: Ended): Promise<void> {
  for (const { address, ...facts } of await listConcerned(db, publicUrl, grantId))
    await mailer.enqueue(db, address, authorisationEnded({ ...facts, title }))
}

export async function tellEnding(
  db: Db,
  { mailer, publicUrl }: Post,
  { grantId, title, days }: Ended & { readonly days: number },
): Promise<void> {
  for (const { address, ...facts } of await listConcerned(db, publicUrl, grantId))
    await mailer.enqueue(db, address, authorisationEnding({ ...facts, title, days }))
}

interface Concerned {
  readonly address: string
  readonly companyName: string
  readonly connectorNames: readonly string[]
  readonly url: string
}

/** One for each administrator of an organisation whose connectors sign in by the grant. */
async function listConcerned(db: Db, publicUrl: string, grantId: string): Promise<readonly Concerned[]> {
  const organisations = await db
    .selectFrom('connectorTenant')
    .innerJoin('connector', 'connector.id', 'connectorTenant.connectorId')
    .innerJoin('organisation', 'organisation.id', 'connectorTenant.organisationId')
    .select(['connectorTenant.organisationId', 'organisation.companyName', 'connector.type'])
    .select(sql<string[]>`array_agg(connector.name ORDER BY connector.name)`.as('connectorNames'))
    .where('connectorTenant.grantId', '=', grantId)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .groupBy(['connectorTenant.organisationId', 'organisation.companyName', 'connector.type'])
    .execute()
  const concerned = await Promise.all(
    organisations.map(async ({ organisationId, companyName, type, connectorNames }) => {
      const url = `${publicUrl}/connectors/${type}/manage?organisation=${organisationId}`
      return (await listAdministrators(db, organisationId)).map((address) => ({
        address,
        companyName,
        connectorNames,
        url,
      }))
    }),
  )
  return concerned.flat()
}

/** The addresses of those who may sign in. */
async function listAdministrators(db: Db, organisationId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
    .innerJoin('role', 'role.id', 'membership.roleId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select('portalUser.emailAddress')
    .where('membership.organisationId', '=', organisationId)
    .where('role.name', '=', 'admin')
    .where('portalUser.providerRoleId', 'is', null)
    .where(sql<boolean>`status.name = 'active'`)
    .orderBy('portalUser.emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}

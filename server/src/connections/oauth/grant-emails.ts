/** Notifies the administrators of every affected organisation that a grant has ended or is about to end. */
import { sql } from 'kysely'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { GrantEmailData } from './grant-email-templates.ts'
import type { Db } from '../../kernel/store/store.ts'

interface GrantEmailServices {
  readonly mailer: EmailOutbox
  readonly publicUrl: string
}

/** @param write the email to one administrator */
export async function notifyAdministrators(
  db: Db,
  { mailer, publicUrl }: GrantEmailServices,
  grantId: string,
  write: (facts: Omit<GrantEmailData, 'sourceTitle'>) => EmailContent,
): Promise<void> {
  for (const { address, ...facts } of await listRecipients(db, publicUrl, grantId))
    await mailer.enqueue(db, address, write(facts))
}

/** One for each administrator of an organisation whose connectors use the grant. */
async function listRecipients(db: Db, publicUrl: string, grantId: string) {
  const organisations = await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.organisationId', 'organisation.companyName', 'connector.type'])
    .select([
      sql<
        string[]
      >`array_agg(connector.name || coalesce(' (' || ${companiesOf(grantId)} || ')', '') ORDER BY connector.name)`.as(
        'connectorNames',
      ),
      sql<boolean>`bool_or(${companiesOf(grantId)} IS NOT NULL)`.as('areShared'),
    ])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('connectorCompany')
          .select('tenantId')
          .whereRef('connectorCompany.connectorId', '=', 'connector.id')
          .where('grantId', '=', grantId),
      ),
    )
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .groupBy(['connector.organisationId', 'organisation.companyName', 'connector.type'])
    .execute()
  const concerned = await Promise.all(
    organisations.map(async ({ organisationId, companyName, type, connectorNames, areShared }) => {
      const url = `${publicUrl}/connectors/${type}/manage?organisation=${organisationId}`
      return (await listAdministrators(db, organisationId)).map((address) => ({
        address,
        companyName,
        connectorNames,
        areShared,
        url,
      }))
    }),
  )
  return concerned.flat()
}

/** Names of the companies that a connector of several reads through the grant; null for a connector of one. */
const companiesOf = (grantId: string) => sql<string | null>`(SELECT string_agg(company.name, ', ' ORDER BY company.name)
  FROM connectorCompany AS company
  WHERE company.connectorId = connector.id AND company.state = 'current' AND company.grantId = ${grantId})`

/** The email addresses of the administrators who may sign in. */
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
    .where('portalUser.isService', '=', false)
    .where(sql<boolean>`status.name = 'active'`)
    .orderBy('portalUser.emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}

/**
 * Resolves names on the command line: an organisation by its key, a connector by `organisation/connector`, or either by
 * its id.
 */
import { Id } from '@tributary/contract/id'
import { sql } from 'kysely'
import type { Db } from '../kernel/store/store.ts'
import { CommandRefused } from './command-refused.ts'

/** Here and below, `db` must see all organisations. Throws `CommandRefused` if none matches. */
export async function getOrganisationNamed(db: Db, name: string) {
  const found = await db
    .selectFrom('organisation')
    .select(['id', 'key', 'companyName', 'archivedAt'])
    .where(isId(name) ? 'id' : 'key', '=', name)
    .executeTakeFirst()
  if (found === undefined)
    throw new CommandRefused(
      'noOrganisation',
      `There is no organisation ${name}. See the keys with: tributary organisation list`,
    )
  return found
}

/** For an optional `--organisation`: undefined stands for all organisations. */
export async function findOrganisationId(db: Db, name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await getOrganisationNamed(db, name)).id
}

export type NamedConnector = Awaited<ReturnType<typeof getConnectorNamed>>

/** `label` is its name on the command line, such as `harbour-trading/shop`. */
export async function getConnectorNamed(db: Db, name: string) {
  const [organisationKey = '', connectorKey = ''] = name.split('/')
  const connectors = db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.id', 'connector.organisationId'])
    .select(sql<string>`organisation.key || '/' || connector.key`.as('label'))
  const found = await (
    isId(name)
      ? connectors.where('connector.id', '=', name)
      : connectors.where('organisation.key', '=', organisationKey).where('connector.key', '=', connectorKey)
  ).executeTakeFirst()
  if (found === undefined)
    throw new CommandRefused(
      'noConnector',
      `There is no connector ${name}. See the names with: tributary connector list`,
    )
  return found
}

function isId(name: string): boolean {
  return Id.safeParse(name).success
}

/**
 * Resolves names on the command line: an organisation by its key, a connector by `organisation/connector`, or either by
 * its id.
 */
import { Id } from '@tributary/contract/id'
import type { Db } from '../kernel/store/store.ts'
import { CommandRefused } from './command-refused.ts'

export interface FoundOrganisation {
  readonly id: string
  readonly key: string
  readonly companyName: string
  readonly archivedAt: string | null
}

/** Here and below, `db` must see all organisations. Throws `CommandRefused` if none matches. */
export async function getOrganisationNamed(db: Db, name: string): Promise<FoundOrganisation> {
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

export interface NamedConnector {
  readonly id: string
  readonly organisationId: string
  readonly name: string
  /** `harbour-trading/shop` */
  readonly label: string
}

export async function getConnectorNamed(db: Db, name: string): Promise<NamedConnector> {
  const [organisationKey = '', connectorKey = ''] = name.split('/')
  const connectors = db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select([
      'connector.id',
      'connector.organisationId',
      'connector.name',
      'connector.key',
      'organisation.key as organisationKey',
    ])
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
  const { key, organisationKey: owner, ...connector } = found
  return { ...connector, label: `${owner}/${key}` }
}

function isId(name: string): boolean {
  return Id.safeParse(name).success
}

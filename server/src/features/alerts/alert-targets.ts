/** Where an incident is reported: channels of the organisation and of people, and the recipients of mails. */
import { type AlertFrequency, type AlertService, alertKindOf } from '@tributary/contract/alert-channels'
import { capabilities } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { selectMembers } from '../../identity/people/members.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface ChannelTarget {
  readonly channelId: string
  readonly userId: null
  readonly service: AlertService
  readonly frequency: AlertFrequency
}

interface MailTarget {
  readonly channelId: null
  readonly userId: string
  readonly emailAddress: string
  readonly frequency: AlertFrequency
  /** False: an administrator named the person as a recipient. */
  readonly isOwnChoice: boolean
  /** The connector reports to all administrators, and the person is one of them. */
  readonly isAdministrator: boolean
}

export type AlertTarget = ChannelTarget | MailTarget

export interface AlertSubject {
  readonly organisationId: string
  /** Null: it is about the organisation. Only administrators are notified, and channels that are not limited to connectors. */
  readonly connectorId: string | null
  /** Of the incident. */
  readonly kind: string
  /** Of the connector. Null: the administrators. */
  readonly alertUsers: readonly string[] | null
}

/** At most one target for each channel, and one for each recipient of mails. */
export async function listAlertTargets(db: Db, subject: AlertSubject): Promise<readonly AlertTarget[]> {
  return [...(await listChannels(db, subject)), ...(await listMailRecipients(db, subject))]
}

async function listChannels(db: Db, subject: AlertSubject): Promise<readonly ChannelTarget[]> {
  const rows = await db
    .selectFrom('alertChannel')
    .select(['id', 'service', 'frequency'])
    .where('organisationId', '=', subject.organisationId)
    .where('service', 'is not', null)
    .where('frequency', '<>', 'never')
    .where(includes(subject))
    .where((where) => where.or([where('userId', 'is', null), where('userId', 'in', selectViewers(db, subject))]))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, service, frequency }) =>
    service === null ? [] : [{ channelId: id, userId: null, service, frequency }],
  )
}

async function listMailRecipients(db: Db, subject: AlertSubject): Promise<readonly MailTarget[]> {
  const named = await listNamedRecipients(db, subject.organisationId, subject.alertUsers)
  const choices = await db
    .selectFrom('alertChannel')
    .leftJoin('portalUser', 'portalUser.id', 'alertChannel.userId')
    .select(['alertChannel.userId', 'portalUser.emailAddress', 'alertChannel.frequency'])
    .select(includes(subject).as('isIncluded'))
    .select((select) => select('alertChannel.userId', 'in', selectViewers(db, subject)).as('isViewer'))
    .where('alertChannel.organisationId', '=', subject.organisationId)
    .where('service', 'is', null)
    .execute()
  const general = choices.find(({ userId }) => userId === null)
  const isNamed = (userId: string) => named.some(({ id }) => id === userId)
  const byChoice = choices.flatMap(({ userId, emailAddress, frequency, isIncluded, isViewer }) =>
    userId !== null && emailAddress !== null && isIncluded && (isViewer === true || isNamed(userId))
      ? [{ userId, emailAddress, frequency, isOwnChoice: true }]
      : [],
  )
  const byDefault =
    general?.isIncluded === false
      ? []
      : named
          .filter(({ id }) => !choices.some(({ userId }) => userId === id))
          .map(({ id, emailAddress }) => ({
            userId: id,
            emailAddress,
            frequency: general?.frequency ?? 'immediately',
            isOwnChoice: false,
          }))
  return [...byDefault, ...byChoice]
    .filter(({ frequency }) => frequency !== 'never')
    .map((target) => ({
      ...target,
      channelId: null,
      isAdministrator: subject.alertUsers === null && isNamed(target.userId),
    }))
}

function includes({ kind, connectorId }: AlertSubject) {
  return sql<boolean>`((kinds IS NULL OR ${alertKindOf(kind)} = ANY (kinds))
    AND (connectorIds IS NULL OR ${connectorId}::uuid = ANY (connectorIds)))`
}

/** The ids of the active people who may see the connector, or the administrators. */
export function selectViewers(
  db: Db,
  { organisationId, connectorId }: Pick<AlertSubject, 'connectorId' | 'organisationId'>,
) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.userId', '=', 'portalUser.id')
        .on('membership.organisationId', '=', organisationId)
        // Not auditors, who read what happened and act on nothing.
        .on('membership.expiresAt', 'is', null),
    )
    .leftJoin('role', 'role.id', 'membership.roleId')
    .select('portalUser.id')
    .where(sql<boolean>`status.name = 'active'`)
    .where(
      sql<boolean>`(portalUser.providerRoleId IS NOT NULL OR role.roleLevel <= ${capabilities.editConnector}
        OR EXISTS (SELECT FROM connectorUser WHERE connectorUser.organisationId = ${organisationId}
          AND connectorUser.connectorId = ${connectorId} AND connectorUser.userId = membership.userId))`,
    )
}

interface NamedRecipient {
  readonly id: string
  readonly emailAddress: string
}

/** The chosen members of a connector, or by default the organisation's administrators. Only active people. */
export async function listNamedRecipients(
  db: Db,
  organisationId: string,
  userIds: readonly string[] | null,
): Promise<readonly NamedRecipient[]> {
  if (userIds?.length === 0) return []
  return (
    selectMembers(db, organisationId)
      .innerJoin('role', 'role.id', 'membership.roleId')
      .select(['portalUser.id', 'portalUser.emailAddress'])
      .where(sql<boolean>`status.name = 'active'`)
      // No mail reaches a service account.
      .where('portalUser.isService', '=', false)
      .$if(userIds !== null, (query) => query.where('membership.userId', 'in', [...(userIds ?? [])]))
      .$if(userIds === null, (query) =>
        query.where('role.name', '=', 'admin').where('portalUser.providerRoleId', 'is', null),
      )
      .orderBy('portalUser.emailAddress')
      .execute()
  )
}

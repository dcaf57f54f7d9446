/** Queries of alert channels. */
import type { AlertChannel, AlertChannels, AlertChoice } from '@tributary/contract/alert-channels'
import { alertChannelLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { assignmentFilter } from '../../connections/connectors/connector-access.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import { maskAddress } from '../../messaging/alert-channels/alert-channel.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Whose channels a call is about, and who calls. */
export interface ChannelOwner {
  readonly organisationId: string
  /** Null: the organisation. */
  readonly userId: string | null
  readonly actor: Actor
}

export interface ChosenAlerts {
  readonly kinds: string[] | null
  readonly connectorIds: string[] | null
  readonly frequency: AlertChoice['Frequency']
  readonly hour: number
  readonly timeZone: string | null
}

export interface ChannelColumns extends ChosenAlerts {
  readonly service: AlertChannel['Service'] | null
  readonly name: string
  readonly origin: string
  readonly address: string | null
  readonly signingSecret: string | null
}

export async function listChannels(
  db: Db,
  organisationId: string,
  owner: Omit<ChannelOwner, 'organisationId'>,
): Promise<Camel<AlertChannels>> {
  const own = { ...owner, organisationId }
  const rows = await selectChannels(db, own).execute()
  const visible = await listVisibleConnectors(db, own)
  const mail = rows.find(({ service }) => service === null)
  return {
    mail: mail === undefined ? null : toChoice(mail, visible),
    channels: rows.flatMap((row) => toChannel(row, visible)),
  }
}

/** Throws `notFound`. */
export async function getChannel(db: Db, organisationId: string, owner: ChannelOwner, channelId: string) {
  const [channel] = toChannel(
    await selectChannels(db, { ...owner, organisationId })
      .where('alertChannel.id', '=', channelId)
      .executeTakeFirstOrThrow(notFound),
    await listVisibleConnectors(db, owner),
  )
  if (channel === undefined) throw notFound()
  return channel
}

/** The address and the secret, encrypted. Throws `notFound` for the mail of the owner, too. */
export async function getStoredChannel(db: Db, organisationId: string, { userId }: ChannelOwner, channelId: string) {
  const row = await db
    .selectFrom('alertChannel')
    .select(['id', 'service', 'name', 'origin', 'address', 'signingSecret'])
    .where('organisationId', '=', organisationId)
    .where('userId', 'is not distinct from', userId)
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow(notFound)
  const { service, address } = row
  if (service === null || address === null) throw notFound()
  return { ...row, service, address }
}

function selectChannels(db: Db, { organisationId, userId }: ChannelOwner) {
  return db
    .selectFrom('alertChannel')
    .innerJoin('organisation', 'organisation.id', 'alertChannel.organisationId')
    .leftJoin('portalUser', 'portalUser.id', 'alertChannel.userId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('alertDelivery')
          .select(['deliveredAt', 'failedAt', 'dueAt', 'notice', 'alertDelivery.createdAt as writtenAt'])
          .whereRef('alertDelivery.channelId', '=', 'alertChannel.id')
          .orderBy('alertDelivery.createdAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['alertChannel.id', 'service', 'alertChannel.name', 'origin', 'kinds', 'connectorIds', 'frequency', 'hour'])
    .select(['last.deliveredAt', 'last.failedAt', 'last.notice', 'last.writtenAt'])
    .select(
      sql<string>`CASE WHEN alertChannel.userId IS NULL THEN organisation.timeZone
        ELSE coalesce(portalUser.timeZone, alertChannel.timeZone, organisation.timeZone) END`.as('timeZone'),
    )
    .where('alertChannel.organisationId', '=', organisationId)
    .where('alertChannel.userId', 'is not distinct from', userId)
    .orderBy('alertChannel.createdAt')
    .orderBy('alertChannel.id')
}

type ChannelRow = Awaited<ReturnType<ReturnType<typeof selectChannels>['execute']>>[number]

function toChoice(row: ChannelRow, visible: ReadonlySet<string>): Camel<AlertChoice> {
  const { kinds, connectorIds, frequency, hour, timeZone } = row
  return {
    kinds: kinds as AlertChoice['Kinds'],
    connectors: connectorIds?.filter((id) => visible.has(id)) ?? null,
    frequency,
    hour,
    timeZone,
  }
}

/** Empty for the mail of the owner. */
function toChannel(row: ChannelRow, visible: ReadonlySet<string>): Camel<AlertChannel>[] {
  const { id, service, name, origin, deliveredAt, failedAt, notice, writtenAt } = row
  if (service === null) return []
  const status = deliveredAt !== null ? 'DELIVERED' : failedAt !== null ? 'FAILED' : 'WAITING'
  const lastDelivery =
    writtenAt === null ? null : ({ status, atUtc: deliveredAt ?? failedAt ?? writtenAt, notice } as const)
  const channel = { id, service, name, address: maskAddress(origin), lastDelivery, secret: null }
  return [{ ...toChoice(row, visible), ...channel }]
}

/** The ids of the connectors that the caller may choose. */
async function listVisibleConnectors(
  db: Db,
  { organisationId, actor }: Pick<ChannelOwner, 'actor' | 'organisationId'>,
): Promise<ReadonlySet<string>> {
  const member = assignmentFilter(actor)
  const rows = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .$if(member !== null, (query) =>
      query.where('id', 'in', (assigned) =>
        assigned
          .selectFrom('connectorUser')
          .select('connectorId')
          .where('userId', '=', member ?? ''),
      ),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Throws `badInput` for a connector that the caller may not see. */
export async function requireVisibleConnectors(
  db: Db,
  organisationId: string,
  { actor }: ChannelOwner,
  chosen: readonly string[],
): Promise<void> {
  const visible = await listVisibleConnectors(db, { organisationId, actor })
  if (!chosen.every((id) => visible.has(id))) throw badField('connectors', 'must be connectors that you may see')
}

/** Throws `badInput` if the owner has as many channels as allowed. */
export async function requireRoom(db: Db, organisationId: string, { userId }: ChannelOwner): Promise<void> {
  const { count } = await db
    .selectFrom('alertChannel')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .where('userId', 'is not distinct from', userId)
    .executeTakeFirstOrThrow()
  const { channelsMax } = alertChannelLimits
  if (count >= channelsMax) throw badField('name', `cannot be added: there are already ${channelsMax} channels`)
}

export async function insertChannel(
  db: Db,
  organisationId: string,
  { userId }: ChannelOwner,
  channel: ChannelColumns & { readonly id: string },
): Promise<void> {
  await db
    .insertInto('alertChannel')
    .values({ ...channel, organisationId, userId })
    .execute()
}

export async function updateChannel(
  db: Db,
  organisationId: string,
  channelId: string,
  change: ChannelColumns,
): Promise<void> {
  await db
    .updateTable('alertChannel')
    .set({ ...change, failingSince: null, failureMailedAt: null })
    .where('organisationId', '=', organisationId)
    .where('id', '=', channelId)
    .execute()
}

/** Returns false if the owner has no such channel. */
export async function deleteChannel(
  db: Db,
  organisationId: string,
  { userId }: ChannelOwner,
  channelId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('alertChannel')
    .where('organisationId', '=', organisationId)
    .where('userId', 'is not distinct from', userId)
    .where('id', '=', channelId)
    .where('service', 'is not', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the id of the row. */
export async function saveMail(
  db: Db,
  organisationId: string,
  { userId }: ChannelOwner,
  choice: ChosenAlerts,
): Promise<string> {
  const { id } = await db
    .insertInto('alertChannel')
    .values({ ...choice, organisationId, userId })
    .onConflict((conflict) =>
      conflict
        .columns(['organisationId', 'userId'])
        .where('service', 'is', null)
        .doUpdateSet({ ...choice }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the id of the row, or undefined if nothing was chosen. */
export async function deleteMail(
  db: Db,
  organisationId: string,
  { userId }: ChannelOwner,
): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('alertChannel')
    .where('organisationId', '=', organisationId)
    .where('userId', 'is not distinct from', userId)
    .where('service', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return deleted?.id
}

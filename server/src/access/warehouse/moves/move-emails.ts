/** Emails about the move of a warehouse, to everyone with a login. Only without a stable host: reports must be given the new one. */
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { EmailContent } from '../../../kernel/mail/email-content.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { roleLevels } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { selectMembers } from '../../../identity/people/members.ts'
import type { WarehouseRow } from '../queries.ts'
import { readerAddressOf } from '../servers/reader-address.ts'
import type { MoveRow } from './move-rows.ts'

type MailServices = Pick<ConnectionServices, 'config' | 'mailer' | 'secrets' | 'store' | 'warehouse'>

/** When the move is requested. */
export function mailBeforeMove(services: MailServices, move: MoveRow, names: WarehouseRow): Promise<void> {
  return mailReaders(services, move, names, beforeMove)
}

/** Once the organisation is on the new server. A step that is repeated may mail twice. */
export function mailAfterMove(services: MailServices, move: MoveRow, names: WarehouseRow): Promise<void> {
  return mailReaders(services, move, names, afterMove)
}

/**
 * Prepares the email after a move that ended before the switch, so that those who expect a new server keep the present one. Returns what
 * enqueues it, for the transaction that ends the move.
 */
export function prepareMailAfterEnd(
  services: MailServices,
  move: MoveRow,
  names: WarehouseRow,
  state: 'FAILED' | 'CANCELLED',
): Promise<(db: Db) => Promise<void>> {
  return prepareMail(services, move, names, (data) => endedMove(data, state))
}

async function mailReaders(
  services: MailServices,
  move: MoveRow,
  names: WarehouseRow,
  template: (data: MoveEmailData) => EmailContent,
): Promise<void> {
  const enqueue = await prepareMail(services, move, names, template)
  // Across: emails belong to no organisation.
  await services.store.across(enqueue)
}

/** What is returned needs a transaction across organisations. */
async function prepareMail(
  services: MailServices,
  { organisationId, fromServer, toServer, keepsReadable, switchedAt }: MoveRow,
  { databaseName: database }: WarehouseRow,
  template: (data: MoveEmailData) => EmailContent,
): Promise<(db: Db) => Promise<void>> {
  if (services.config.warehouseHost !== null) return async () => undefined
  const from = await readerAddressOf(services, { organisationId, serverId: fromServer })
  const to = await readerAddressOf(services, { organisationId, serverId: toServer })
  const url = `${services.config.publicUrl}/data/connect?organisation=${organisationId}`
  const data = { from: addressText(from), to: addressText(to), database, keepsReadable, since: switchedAt, url }
  return async (db) => {
    const { companyName } = await db
      .selectFrom('organisation')
      .select('companyName')
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    for (const address of await listReaderAddresses(db, organisationId))
      await services.mailer.enqueue(db, address, template({ ...data, companyName }))
  }
}

function addressText({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}, port ${port}`
}

/** Everyone with a SQL login, and the administrators, who have given the shared login to others. */
async function listReaderAddresses(db: Db, organisationId: string): Promise<readonly string[]> {
  const rows = await selectMembers(db, organisationId)
    .innerJoin('role', 'role.id', 'membership.roleId')
    .leftJoin('warehousePrincipal', (join) =>
      join
        .onRef('warehousePrincipal.userId', '=', 'portalUser.id')
        .on('warehousePrincipal.organisationId', '=', organisationId),
    )
    .select('portalUser.emailAddress')
    .where('portalUser.isService', '=', false)
    .where(sql<boolean>`status.name = 'active'`)
    .where((eb) =>
      eb.or([eb('role.roleLevel', '=', roleLevels.admin), eb('warehousePrincipal.sqlVerifier', 'is not', null)]),
    )
    .orderBy('portalUser.emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}

interface MoveEmailData {
  readonly companyName: string
  readonly database: string
  readonly from: string
  readonly to: string
  readonly keepsReadable: boolean
  /** ISO 8601. Null before the switch. */
  readonly since: string | null
  readonly url: string
}

function beforeMove({ companyName, database, from, to, url }: MoveEmailData): EmailContent {
  return {
    template: 'warehouse-moves',
    subject: `The warehouse of ${companyName} moves to another server`,
    paragraphs: [
      `The warehouse of ${companyName} is being copied from ${from} to ${to}. Your reports work until the switch, about which we write again.`,
      `After the switch, enter the new server in every report and program that signs in to the database ${database}. User names and passwords stay as they are.`,
    ],
    action: { label: 'Open the connection details', url },
  }
}

function afterMove({ companyName, database, from, to, keepsReadable, since, url }: MoveEmailData): EmailContent {
  const old = keepsReadable
    ? `The copy at ${from} can be read for one more day. Its rows are stale since ${since ?? 'the switch'}, as the table tributary_stale in each schema says.`
    : `The former server, ${from}, refuses your logins since ${since ?? 'the switch'}, so that no report reads old rows.`
  return {
    template: 'warehouse-moved',
    subject: `The warehouse of ${companyName} has moved: change the server in your reports`,
    paragraphs: [
      `The warehouse of ${companyName} is now at ${to}. Enter this server in every report and program that signs in to the database ${database}. User names and passwords stay as they are.`,
      old,
    ],
    action: { label: 'Open the connection details', url },
  }
}

function endedMove(
  { companyName, database, from, to, url }: MoveEmailData,
  state: 'FAILED' | 'CANCELLED',
): EmailContent {
  const reason = state === 'CANCELLED' ? 'was cancelled' : 'could not be completed'
  return {
    template: 'warehouse-stays',
    subject: `The warehouse of ${companyName} does not move: keep the server in your reports`,
    paragraphs: [
      `The move of the warehouse of ${companyName} to ${to}, about which we wrote, ${reason}. The warehouse stays at ${from}, with all of its rows, and your reports work as before.`,
      `If you have entered ${to} in a report or program already, enter ${from} again. The database ${database}, user names and passwords stay as they are.`,
    ],
    action: { label: 'Open the connection details', url },
  }
}

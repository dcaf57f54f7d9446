/** Records that only connectors of accounting sources have: a company, credentials of the product, a tie-out. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'

interface AccountingFixtureIds {
  readonly organisationId: string
  readonly connectorId: string
  readonly runId: string
}

export async function insertAccounting(db: Db, { runId, ...of }: AccountingFixtureIds): Promise<void> {
  await db
    .insertInto('connectorCompany')
    .values({ ...of, type: 'xero', tenantId: randomUUID(), name: 'A company' })
    .execute()
  const database = {
    kind: 'postgres',
    host: 'db.example',
    databaseName: 'books',
    schemaName: 'xero',
    userName: 'writer',
  } as const
  await db
    .insertInto('productCredential')
    .values({ ...of, ...database, encryption: 'verify', password: '' })
    .execute()
  const result = { state: 'amber', company: 'A company', basis: 'documents', accounts: 1, differing: 1 } as const
  await db
    .insertInto('tieOut')
    .values({ runId, ...of, ...result })
    .execute()
  const line = {
    period: '2026-10-01',
    accountId: 'sales',
    name: 'Sales',
    computed: '-10.00',
    reported: '-12.00',
    state: 'amber',
  } as const
  await db
    .insertInto('tieOutLine')
    .values({ ...of, ...line })
    .execute()
}

/** Inserts a revoked grant, so that no call to the source is made. */
export async function insertToken(db: Db): Promise<string> {
  const person = randomUUID()
  const grant = { type: 'xero', clientId: 'an app', person, emailAddress: `${person}@example.com`, deadAt: new Date() }
  const { id } = await db.insertInto('oauthGrant').values(grant).returning('id').executeTakeFirstOrThrow()
  return id
}

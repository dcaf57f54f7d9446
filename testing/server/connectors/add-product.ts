/** Adds an accounting product without a real source: a connector of a company. */
import { randomUUID } from 'node:crypto'
import type { TestApp } from '../app/test-app.ts'

interface ProductFixture {
  readonly companyName: string
  readonly organisationId?: string
  readonly type?: string
  /** Ids of the users who are assigned to it. */
  readonly users?: readonly string[]
  readonly grantId?: string
}

/** Returns the id of the product. */
export function addProduct(
  app: TestApp,
  { companyName, organisationId = app.harbour.id, type = 'xero', users = [], grantId }: ProductFixture,
) {
  return app.store.within(organisationId, async (db) => {
    const key = `books-${randomUUID().slice(0, 8)}`
    const connector = { organisationId, key, type, name: companyName, originalName: companyName }
    const { id: connectorId } = await db
      .insertInto('connector')
      .values(connector)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('connectorCompany')
      .values({
        connectorId,
        organisationId,
        type,
        tenantId: randomUUID(),
        name: companyName,
        grantId: grantId ?? null,
      })
      .execute()
    for (const userId of users)
      await db.insertInto('connectorUser').values({ organisationId, connectorId, userId }).execute()
    return connectorId
  })
}

/** An accounting product without a source behind it: a connector of a company. */
import { randomUUID } from 'node:crypto'
import type { TestApp } from '../app/test-app.ts'

interface Wanted {
  readonly companyName: string
  readonly organisationId?: string
  readonly type?: string
  /** Those who are assigned to it. */
  readonly users?: readonly string[]
  readonly grantId?: string
}

/** Answers the product's id. */
export function addProduct(
  app: TestApp,
  { companyName, organisationId = app.harbour.id, type = 'xero', users = [], grantId }: Wanted,
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
      .insertInto('connectorTenant')
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

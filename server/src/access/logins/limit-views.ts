/** Lets views over version tables read with the rights of the caller, so that a person with some rows may read them, too. */
import { isViewClaim } from '@tributary/engine/databases/sql-target/owned-views'
import { type Client, escapeIdentifier as q } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { ownerOf, type TableOwners } from './readable-relations.ts'
import type { WarehouseRelation } from './warehouse-catalogue.ts'

/**
 * Only views that the product has created: those of a person keep the rights of their owner. Runs keep the option when they replace the view.
 * A view that a long query keeps locked stays closed to such persons until the next attempt.
 */
export async function limitViews(
  client: Client,
  { writerName }: Pick<WarehouseRow, 'writerName'>,
  relations: readonly WarehouseRelation[],
  owners: TableOwners,
): Promise<void> {
  const versionTables = new Set(
    relations.filter((one) => ownerOf(one, owners).kind === 'version').map(({ oid }) => oid),
  )
  for (const { schema, name, kind, claim, isInvokerView, refersTo } of relations) {
    const isOwn = kind === 'view' && claim !== null && isViewClaim(claim.stream)
    if (!isOwn || isInvokerView || !refersTo.some((oid) => versionTables.has(oid))) continue
    try {
      await client.query(
        `BEGIN;
         SET LOCAL ROLE ${q(writerName)};
         SET LOCAL lock_timeout = '2s';
         ALTER VIEW ${q(schema)}.${q(name)} SET (security_invoker = true);
         COMMIT`,
      )
    } catch (error) {
      await client.query('ROLLBACK')
      if (!passingCodes.has((error as { readonly code?: string }).code ?? '')) throw error
    }
  }
}

/** SQLSTATEs of a locked view, and of one that a run has dropped. */
const passingCodes: ReadonlySet<string> = new Set(['55P03', '42P01'])

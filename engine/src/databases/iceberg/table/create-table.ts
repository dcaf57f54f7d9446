/** Creates a table, or finds that another worker is faster. */
import { CatalogConflictError, type NewTable } from '../catalog/catalog.ts'
import { identify, type LakeContext } from './lake-context.ts'

const pauseMs = 50
const attemptsMax = 40

/** Returns false if the table exists: another worker has created it, or the reply to an earlier attempt was lost. */
export async function createUnlessExists(context: LakeContext, name: string, table: NewTable): Promise<boolean> {
  const { catalog, around } = context
  const identifier = identify(context, name)
  for (let attempt = 1; ; attempt++) {
    try {
      await catalog.createTable(identifier, table)
      return true
    } catch (error) {
      if (!(error instanceof CatalogConflictError)) throw error
      if ((await catalog.loadTable(identifier)) !== null) return false
      // The other worker has not completed its creation.
      if (attempt === attemptsMax) throw error
      await around.clock.sleep(pauseMs, around.signal)
    }
  }
}

/** Who should read what in an organisation's warehouse, by the state of the store. */
import { assistantsAllowed, listAssistantConnectors } from '../assistants/switches.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  listReadableSlices,
  listReadableTablesOf,
  type ReadableTables,
  readsNothing,
} from '../query/readable-tables.ts'
import { findTableWriter, listPlannedRecordIds, listPrincipals, type PrincipalRow } from './queries.ts'
import type { TableOwners } from './readable-relations.ts'

/** A person with what they read. */
interface Reader {
  readonly principal: PrincipalRow
  readonly readable: ReadableTables
  /** The slices of version tables whose rows they read. Empty for people who read all rows. */
  readonly sliceIds: readonly string[]
}

/** What assistants may read at most, whatever the person reads. Null: assistants are switched off. */
type AssistantLimit = { readonly connectors: readonly string[] } | null

export interface WantedAccess {
  readonly readers: readonly Reader[]
  readonly owners: TableOwners
  readonly assistants: AssistantLimit
}

export async function readWantedAccess(
  store: Store,
  organisationId: string,
): Promise<
  WantedAccess & {
    /** Ids of principals whose logins are dropped. */
    readonly gone: readonly string[]
  }
> {
  return store.within(organisationId, async (db) => {
    const principals = await listPrincipals(db, organisationId)
    const userIds = principals.map(({ userId }) => userId)
    const readable = await listReadableTablesOf(db, organisationId, userIds)
    const of = (userId: string) => readable.get(userId) ?? readsNothing
    const limited = userIds.filter((userId) => Array.isArray(of(userId).versions) && of(userId).versions.length > 0)
    const slices = await listReadableSlices(db, organisationId, limited)
    const readers = principals.map((principal) => ({
      principal,
      readable: of(principal.userId),
      sliceIds: slices.get(principal.userId) ?? [],
    }))
    return {
      readers: readers.filter((reader) => reader.readable.keepsLogins),
      gone: readers.filter((reader) => !reader.readable.keepsLogins).map(({ principal }) => principal.id),
      assistants: (await assistantsAllowed(db, organisationId))
        ? { connectors: await listAssistantConnectors(db, organisationId) }
        : null,
      owners: {
        tableWriter: await findTableWriter(db, organisationId),
        ...(await listPlannedRecordIds(db, organisationId)),
      },
    }
  })
}

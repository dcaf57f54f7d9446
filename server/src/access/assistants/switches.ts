/**
 * Whether assistants may read an organisation's data, and of which sources. Off until the provider and the organisation have both switched
 * it on. A source whose terms restrict assistants stays off until an administrator has confirmed these terms.
 */
import type { AssistantTerms } from '@tributary/engine/ports/source'
import { sources } from '../../connections/connectors/connector-types.ts'
import { selectFullName } from '../../identity/people/full-name.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface AssistantPolicy {
  readonly allowed: boolean
  readonly allowedByProvider: boolean
}

export async function readAssistantPolicy(db: Db, organisationId: string): Promise<AssistantPolicy> {
  const { allowed, allowedByProvider } = await db
    .selectFrom('organisation')
    .leftJoin('setting', (join) => join.on('setting.key', '=', 'Assistants'))
    .select(['allowsAssistants as allowed', 'setting.value as allowedByProvider'])
    .where('organisation.id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return { allowed, allowedByProvider: allowedByProvider ?? false }
}

export async function assistantsAllowed(db: Db, organisationId: string): Promise<boolean> {
  const { allowed, allowedByProvider } = await readAssistantPolicy(db, organisationId)
  return allowed && allowedByProvider
}

/** Throws `assistantsOff`. */
export async function requireAssistants(db: Db, organisationId: string): Promise<void> {
  const { allowed, allowedByProvider } = await readAssistantPolicy(db, organisationId)
  if (allowed && allowedByProvider) return
  const values = allowedByProvider
    ? { where: 'in this organisation', whom: 'an administrator' }
    : { where: 'by the provider', whom: 'the provider' }
  throw new ApiFault('assistantsOff', { values })
}

export interface AssistantSource {
  readonly type: string
  readonly title: string
  readonly allowed: boolean
  /** Null: the source has no terms about assistants. */
  readonly terms: AssistantTerms | null
  readonly changedAtUtc: string | null
  readonly changedBy: string | null
}

/** Every type of source, by title. */
export async function sourceTypesForAssistants(db: Db, organisationId: string): Promise<readonly AssistantSource[]> {
  const rows = await db
    .selectFrom('assistantSource')
    .innerJoin('portalUser', 'portalUser.id', 'assistantSource.changedBy')
    .select(['sourceType', 'allowed', 'acceptedTerms', 'changedAt as changedAtUtc'])
    .select(selectFullName('changedBy').as('changedBy'))
    .where('organisationId', '=', organisationId)
    .execute()
  const chosen = new Map(rows.map((row) => [row.sourceType, row]))
  const listed = sources.map(({ type, title, assistantTerms: terms = null }): AssistantSource => {
    const { allowed: wanted, acceptedTerms = null, changedAtUtc = null, changedBy = null } = chosen.get(type) ?? {}
    // A confirmation of terms that have another name by now no longer counts.
    const allowed = terms === null ? (wanted ?? true) : wanted === true && acceptedTerms === terms.name
    return { type, title, allowed, terms, changedAtUtc, changedBy }
  })
  return listed.toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
}

/** The connectors whose tables assistants may read, with those that are deleted: their tables can still exist. None while switched off. */
export async function listAssistantConnectors(db: Db, organisationId: string): Promise<readonly string[]> {
  if (!(await assistantsAllowed(db, organisationId))) return []
  const allowed = (await sourceTypesForAssistants(db, organisationId)).filter((source) => source.allowed)
  const connectors = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where(
      'type',
      'in',
      allowed.map(({ type }) => type),
    )
    .execute()
  return connectors.map(({ id }) => id)
}

/** Connectors that an organisation shares with others, and how much of an answer those may read. */
import type * as z from 'zod'
import type { Db } from '../../kernel/store/store.ts'
import { uncapitalise } from '../../kernel/http/wire-encoder.ts'

/** Across: the organisation that shares this connector with that one, null where none does. An archived one shares nothing, and nothing is shared with it. */
export async function findOwner(db: Db, connectorId: string, guestId: string): Promise<string | null> {
  const found = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', '=', guestId)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

/** Across: those of the organisations that the connector is shared with. */
export async function guestsAmong(db: Db, connectorId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', 'in', [...ids])
    .orderBy('guestId')
    .execute()
  return rows.map(({ guestId }) => guestId)
}

function shares(db: Db) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.organisationId')
    .innerJoin('organisation as guest', 'guest.id', 'connectorShare.guestId')
    .select(['connectorShare.organisationId', 'connectorShare.guestId'])
    .where('organisation.archivedAt', 'is', null)
    .where('guest.archivedAt', 'is', null)
}

type Redact = (value: unknown) => unknown
interface SchemaDefinition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly values?: readonly unknown[]
}

/** Anything else could hold more than its schema says, so no guest sees it. */
const scalars = ['string', 'number', 'boolean', 'enum']

/**
 * Compiles the schema of a guest's reply (`guestReply`) into a function that keeps what the schema declares and drops the rest.
 * The function takes and returns names in camelCase. A field that allows one value only (`withheld`) gets that value.
 */
export function guestRedactor(schema: z.ZodType): Redact {
  const { type, innerType, element, shape, values } = schema.def as unknown as SchemaDefinition
  if (type === 'null') return () => null
  if (type === 'literal') return () => values?.[0]
  if (type === 'nullable' && innerType !== undefined) {
    const redact = guestRedactor(innerType)
    return (value) => (value === null ? null : redact(value))
  }
  if (type === 'array' && element !== undefined) {
    if (element.def.type === 'never') return () => []
    const redact = guestRedactor(element)
    return (value) => (value as readonly unknown[]).map(redact)
  }
  if (type === 'object' && shape !== undefined) return objectRedactor(shape)
  if (scalars.includes(type)) return (value) => value
  throw new Error(`The schema of a guest's reply must not contain the type ${type}.`)
}

function objectRedactor(shape: Readonly<Record<string, z.ZodType>>): Redact {
  const fields = Object.entries(shape).map(
    ([wireName, field]) => [uncapitalise(wireName), guestRedactor(field)] as const,
  )
  return (value) =>
    Object.fromEntries(fields.map(([name, redact]) => [name, redact((value as Record<string, unknown>)[name])]))
}

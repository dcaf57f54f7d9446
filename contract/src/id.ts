/** Ids as calls name them. */
import * as z from 'zod'

/** Capitals are read as small letters: the store writes ids so, and secrets and the audit log are bound to an id by its text. */
export const Id = z.uuid().toLowerCase()

/** Null is the same as leaving it out: documented bodies carry it where there is nothing to say. */
export const OptionalId = Id.nullish().transform((id) => id ?? undefined)

/** The organisation that a call is about, where neither its path nor its body says so. */
export const orgQuery = z.strictObject({ orgId: Id.optional() })

/** Ids in requests. */
import * as z from 'zod'

/** Lower-cased, because secrets and the audit log are bound to the text of an id as the store writes it. */
export const Id = z.uuid().toLowerCase()

/** Null means absent: documented request bodies contain it. */
export const OptionalId = Id.nullish().transform((id) => id ?? undefined)

/** The organisation of a call whose path and body do not identify it. */
export const orgQuery = z.strictObject({ orgId: Id.optional() })

/** As a source identifies its company: a GUID of Xero, a number of Exact Online. */
export const CompanyId = z.string().min(1).max(200)

/** What of an audit event is personal, and what its hash is over. */
import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Of an event's detail: what names or describes somebody. With the network address it lies beside the event. */
const personalDetails: readonly string[] = ['description', 'search']
/** Where links to people were changed, so do these; elsewhere they name areas and tables. */
const linkedNames: readonly string[] = ['added', 'removed']

type Fields = Readonly<Record<string, unknown>>

export interface Personal {
  readonly salt: Buffer
  readonly fields: Fields
}

/** Parts what may be kept from what must be able to go. */
export function sift(
  address: string | null,
  detail: Fields,
): { readonly detail: Fields; readonly personal: Personal | null } {
  const namesPeople = String(detail['links']).startsWith('users of ')
  const isPersonal = ([name, value]: [string, unknown]) =>
    value !== undefined && (personalDetails.includes(name) || (namesPeople && linkedNames.includes(name)))
  const apart = Object.entries(detail).filter(isPersonal)
  const fields = { ...Object.fromEntries(apart), ...(address !== null && { address }) }
  const rest = Object.entries(detail).filter((one) => !isPersonal(one))
  // The salt keeps anybody from trying all addresses that there are.
  return {
    detail: Object.fromEntries(rest),
    personal: Object.keys(fields).length === 0 ? null : { salt: randomBytes(32), fields },
  }
}

export function personalHashOf({ salt, fields }: Personal): Buffer {
  return createHmac('sha256', salt).update(canonical(fields)).digest()
}

const ofEvery = [
  'at',
  'organisationId',
  'actorId',
  'actorRole',
  'action',
  'objectType',
  'objectId',
  'outcome',
  'detail',
  'address',
  'sessionId',
  'reference',
] as const

type Hashed = Readonly<Record<(typeof ofEvery)[number], unknown>> & {
  readonly form: number
  readonly formerHash: Buffer | null
  readonly personalHash: Buffer | null
}

export function hashOf(row: Hashed): Buffer {
  const parts = ofEvery.map((name) => row[name])
  const text = canonical(row.form === 1 ? parts : [...parts, row.form, row.personalHash?.toString('hex') ?? null])
  return createHash('sha256')
    .update(row.formerHash ?? Buffer.alloc(0))
    .update(text)
    .digest()
}

/** JSON with sorted keys, for the store does not keep the order in which they were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

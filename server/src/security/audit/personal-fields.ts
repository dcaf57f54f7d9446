/** Separates the personal fields of an audit event, and computes the hashes. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { canonicalJson } from '../../kernel/text/canonical-json.ts'

/** Fields of an event's detail that identify or describe a person. They are stored separately, as is the network address. */
const personalDetails: readonly string[] = ['description', 'search']
/** These fields name people if links to people changed, and otherwise areas and tables. */
const linkedNames: readonly string[] = ['added', 'removed']

type PersonalFields = Readonly<Record<string, unknown>>

export interface PersonalPart {
  readonly salt: Buffer
  readonly fields: PersonalFields
}

/** Separates fields that are kept from fields that must be erasable. */
export function separatePersonalFields(
  address: string | null,
  detail: PersonalFields,
): { readonly detail: PersonalFields; readonly personal: PersonalPart | null } {
  const namesPeople = String(detail['links']).startsWith('users of ')
  const isPersonal = ([name, value]: [string, unknown]) =>
    value !== undefined && (personalDetails.includes(name) || (namesPeople && linkedNames.includes(name)))
  const apart = Object.entries(detail).filter(isPersonal)
  const fields = { ...Object.fromEntries(apart), ...(address !== null && { address }) }
  const rest = Object.entries(detail).filter((one) => !isPersonal(one))
  // The salt prevents a brute-force search over all addresses.
  return {
    detail: Object.fromEntries(rest),
    personal: Object.keys(fields).length === 0 ? null : { salt: randomBytes(32), fields },
  }
}

export function personalHashOf({ salt, fields }: PersonalPart): Buffer {
  return createHmac('sha256', salt).update(canonicalJson(fields)).digest()
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

type HashedEvent = Readonly<Record<(typeof ofEvery)[number], unknown>> & {
  readonly form: number
  readonly formerHash: Buffer | null
  readonly personalHash: Buffer | null
}

export function hashOf(row: HashedEvent): Buffer {
  const parts = ofEvery.map((name) => row[name])
  const text = canonicalJson(row.form === 1 ? parts : [...parts, row.form, row.personalHash?.toString('hex') ?? null])
  return createHash('sha256')
    .update(row.formerHash ?? Buffer.alloc(0))
    .update(text)
    .digest()
}

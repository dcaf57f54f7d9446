/** In tests a reply must match the contract exactly, and a fault must be one that its route declares. */
import type { FaultCode } from '@tributary/contract/faults'
import type { Route } from '@tributary/contract/route'
import type { ApiFault } from '../../../server/src/kernel/http/api-fault.ts'
import type { AppServices } from '../../../server/src/app-services.ts'

/** Faults that every route may return without declaring them. */
const generalFaults: readonly string[] = [
  'badInput',
  'notSignedIn',
  'notAllowed',
  'notFound',
  'tooMany',
  'passwordTemporary',
  'organisationArchived',
  'maintained',
  'unavailable',
  'storeFull',
  'tokenExpired',
  'tokenRefused',
  'tokenScope',
  'tokensOff',
] satisfies FaultCode[]

export const inspectReply: NonNullable<AppServices['inspect']> = (route, outcome) => {
  if ('code' in outcome) {
    requireDeclared(route, outcome.code)
    requireFieldMessageForm(route, outcome)
  } else {
    route.reply?.parse(outcome.encoded)
    requireNoExtraFields(route, outcome.answer, outcome.encoded)
  }
}

function requireDeclared(route: Route, code: string): void {
  const declared: readonly string[] = [
    ...(route.faults ?? []),
    ...(route.needsFreshProof === true ? ['proofNeeded'] : []),
    ...(route.needsSecondFactor === true ? ['factorNeeded'] : []),
  ]
  if (!generalFaults.includes(code) && !declared.includes(code))
    throw new Error(`${route.method} ${route.path} does not declare the fault ${code}.`)
}

/** The message about a field completes a sentence that begins with the field's name. */
function requireFieldMessageForm({ method, path }: Route, { code, fields = {} }: ApiFault): void {
  if (code !== 'badInput') return
  for (const [name, what] of Object.entries(fields))
    if (!/^[a-z]/u.test(what) || /[.!?]$/u.test(what))
      throw new Error(`${method} ${path} reports '${what}' for ${name}, which does not complete a sentence.`)
}

/** The encoder drops fields that the schema does not have. A handler that returns them selects too many columns. */
function requireNoExtraFields(route: Route, answer: unknown, encoded: unknown): void {
  if (Array.isArray(answer) && Array.isArray(encoded)) {
    for (const [at, item] of answer.entries()) requireNoExtraFields(route, item, encoded[at])
    return
  }
  if (!isRecord(answer) || !isRecord(encoded)) return
  const wire = new Map(
    Object.keys(encoded).flatMap((name) => [
      [name, name] as const,
      [name.charAt(0).toLowerCase() + name.slice(1), name] as const,
    ]),
  )
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    const known = wire.get(name)
    if (known === undefined)
      throw new Error(`${route.method} ${route.path} returns '${name}', which its contract does not have.`)
    requireNoExtraFields(route, value, encoded[known])
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

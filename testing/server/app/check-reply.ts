/** In tests a reply must be what the contract says, no less and no more, and a fault one that it declares. */
import type { FaultCode } from '@tributary/contract/faults'
import type { Route } from '@tributary/contract/route'
import type { ApiFault } from '../../../server/src/kernel/http/api-fault.ts'
import type { AppServices } from '../../../server/src/app-services.ts'

/** What every call can answer. */
const always: readonly string[] = [
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
] satisfies FaultCode[]

export const inspectReply: NonNullable<AppServices['inspect']> = (route, outcome) => {
  if ('code' in outcome) {
    requireDeclared(route, outcome.code)
    requireOneForm(route, outcome)
  } else {
    route.reply?.parse(outcome.encoded)
    requireNothingElse(route, outcome.answer, outcome.encoded)
  }
}

function requireDeclared(route: Route, code: string): void {
  const declared: readonly string[] = [
    ...(route.faults ?? []),
    ...(route.needsFreshProof === true ? ['proofNeeded'] : []),
  ]
  if (!always.includes(code) && !declared.includes(code))
    throw new Error(`${route.method} ${route.path} does not declare the fault ${code}.`)
}

/** What is wrong with a field ends a sentence that begins with its name. */
function requireOneForm({ method, path }: Route, { code, fields = {} }: ApiFault): void {
  if (code !== 'badInput') return
  for (const [name, what] of Object.entries(fields))
    if (!/^[a-z]/u.test(what) || /[.!?]$/u.test(what))
      throw new Error(`${method} ${path} says '${what}' of ${name}, as no other field is told.`)
}

/** The encoder leaves out what the schema does not name; a handler that gives more is asking the database for too much. */
function requireNothingElse(route: Route, answer: unknown, encoded: unknown): void {
  if (Array.isArray(answer) && Array.isArray(encoded)) {
    for (const [at, item] of answer.entries()) requireNothingElse(route, item, encoded[at])
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
      throw new Error(`${route.method} ${route.path} answers '${name}', which its contract does not name.`)
    requireNothingElse(route, value, encoded[known])
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

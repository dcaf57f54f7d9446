/** Which errors of a database server mean which fault. */
import { Fault, type FaultKind } from './faults.ts'

/** `code` is what follows the name of the database in the code of the fault; `errors` are the error numbers and codes that mean it. */
export type FaultRule = readonly [
  kind: FaultKind,
  code: string,
  notice: string,
  ...errors: readonly (number | string)[],
]

export function rulesByError(rules: readonly FaultRule[]): ReadonlyMap<unknown, FaultRule> {
  return new Map(rules.flatMap((rule) => rule.slice(3).map((error) => [error, rule])))
}

/** @param database the name that begins the code of the fault */
export function faultByRule(
  database: string,
  [kind, code, notice]: FaultRule,
  cause: unknown,
  busyWaitMs = 30_000,
): Fault {
  return new Fault(kind, { code: `${database}.${code}`, notice, cause, ...(kind === 'busy' && { waitMs: busyWaitMs }) })
}

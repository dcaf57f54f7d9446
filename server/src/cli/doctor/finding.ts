/** The result of one check of `tributary doctor`. */
export interface DoctorFinding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Absent with `ok`. */
  readonly remedy?: string
}

export function ok(check: string, found: string): DoctorFinding {
  return { check, state: 'ok', found }
}

export function warn(check: string, found: string, remedy: string): DoctorFinding {
  return { check, state: 'warn', found, remedy }
}

export function fail(check: string, found: string, remedy: string): DoctorFinding {
  return { check, state: 'fail', found, remedy }
}

/** The code of a system error, such as `ECONNREFUSED`. The message is left out, because it may contain sent data. */
export function errorCodeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (typeof code === 'string') return code
  if (cause !== undefined && cause !== null) return errorCodeOf(cause)
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'no answer'
}

/** The context of the current asynchronous work, which log lines and spans inherit: call, organisation, run and trace. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface LogContext {
  /** The reference of the call. */
  readonly reference?: string
  readonly organisationId?: string
  readonly runId?: string
  readonly traceId?: string
  /** Used by the tracer only. */
  readonly span?: unknown
}

const contexts = new AsyncLocalStorage<LogContext>()

/** Runs `work` in this context, merged with the enclosing one. Applies to everything that `work` calls, asynchronously too. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...context }, work)
}

export function currentLogContext(): LogContext {
  return contexts.getStore() ?? {}
}

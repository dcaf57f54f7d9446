/** Spans: what was done, for how long and within what. Off, nothing is made and nothing is kept. */

/** Ids, patterns, numbers and names of tables; never a secret, a value of a row or the name of a person. */
type Attributes = Readonly<Record<string, string | number | boolean>>

export interface Tracing {
  begin(name: string, span?: SpanOptions): OpenSpan
  /** Sends what is still kept. */
  close(): Promise<void>
}

export interface SpanOptions {
  /** `server`: a call came in; `client`: one goes out. */
  readonly kind?: 'server' | 'client'
  readonly attributes?: Attributes
  /** The header `traceparent` of a call that is part of somebody else's trace. */
  readonly parent?: string | undefined
}

export interface OpenSpan {
  readonly traceId: string | null
  /** What the work begins is part of this span. */
  within<T>(work: () => T): T
  add(attributes: Attributes): void
  /** @param failure a code or a class, never a message: those may hold what somebody typed. */
  end(failure?: string): void
}

const noSpan: OpenSpan = { traceId: null, within: (work) => work(), add: () => undefined, end: () => undefined }

export const noTracing: Tracing = { begin: () => noSpan, close: async () => undefined }

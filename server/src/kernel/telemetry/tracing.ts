/** Tracing. If it is off, spans are no-ops. */

/** Ids, patterns, numbers and table names; never a secret, a row's value or a person's name. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface Tracing {
  begin(name: string, span?: SpanOptions): OpenSpan
  /** Sends the buffered spans. */
  close(): Promise<void>
}

export interface SpanOptions {
  /** `server`: an incoming call; `client`: an outgoing one. */
  readonly kind?: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** The header `traceparent` of a call that belongs to the caller's trace. */
  readonly parent?: string | undefined
}

export interface OpenSpan {
  readonly traceId: string | null
  /** Spans that `work` begins are children of this span. */
  within<T>(work: () => T): T
  add(attributes: SpanAttributes): void
  /** @param failure an error code or class, never a message, because messages may contain user input */
  end(failure?: string): void
}

const noSpan: OpenSpan = { traceId: null, within: (work) => work(), add: () => undefined, end: () => undefined }

export const noTracing: Tracing = { begin: () => noSpan, close: async () => undefined }

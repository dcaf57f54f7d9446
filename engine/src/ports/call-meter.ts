/** Counts the calls to the API of a source by stream, and holds them back once the source's allowance is used. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface SourceCall {
  /** The key of the rate limit that the call counts for. Not a secret. */
  readonly limitKey: string
  /** Null for a call that belongs to no stream, such as a check of the connection. */
  readonly stream: string | null
}

export interface CallMeter {
  /**
   * Resolves when the call may wait for its turn.
   * @throws Fault `busy` once the allowance is used
   */
  admit(call: SourceCall): Promise<void>
  /** The call is sent. It counts at the source whatever its result. */
  sent(call: SourceCall): void
  /** @param bytes of the body of the reply, as transferred */
  received(call: SourceCall, bytes: number): void
}

const streams = new AsyncLocalStorage<string>()

/** Attributes the calls that `work` makes to a stream, also those that it begins and others continue. */
export function withinStream<T>(stream: string, work: () => Promise<T>): Promise<T> {
  return streams.run(stream, work)
}

export function currentStream(): string | null {
  return streams.getStore() ?? null
}

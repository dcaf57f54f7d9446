/** The only way out: whoever runs the engine decides which addresses may be dialled. */
import type { Socket } from 'node:net'

/** What a connection is for. An address may be allowed for one protocol and refused for the others. */
export type Protocol = 'http' | 'mysql' | 'postgres' | 'sqlserver'

export interface Network {
  /**
   * Resolves the host, refuses addresses that are not allowed and connects to the very address that was checked.
   * Throws a `settings` Fault for a refused or unknown host and a `passing` one for a connection that fails.
   */
  dial(host: string, port: number, signal: AbortSignal, protocol: Protocol): Promise<Socket>
}

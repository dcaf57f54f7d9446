/** Egress: the engine opens connections only through this port, so its caller decides which addresses are allowed. */
import type { Socket } from 'node:net'

/** The protocol of a connection. An address may be allowed for one protocol only. */
export type Protocol = 'http' | 'mysql' | 'postgres' | 'sqlserver'

export interface Network {
  /**
   * Resolves the host, rejects addresses that are not allowed, and connects to exactly the address that was checked.
   * @throws Fault `settings` for a forbidden or unknown host, `passing` if the connection fails
   */
  dial(host: string, port: number, signal: AbortSignal, protocol: Protocol): Promise<Socket>
}

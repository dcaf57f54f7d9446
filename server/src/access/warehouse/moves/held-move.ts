/** What the steps of a move are given. */
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { MoveRow } from './move-rows.ts'

export type MoveServices = Pick<
  ConnectionServices,
  'audit' | 'clock' | 'config' | 'log' | 'mailer' | 'secrets' | 'store' | 'warehouse'
>

export interface MoveOptions {
  readonly signal: AbortSignal
  /** Without a heartbeat for this long another worker continues the move. */
  readonly leaseMs?: number
  /** How long runs and loads may take to end by themselves before the last changes are copied. */
  readonly patienceMs?: number
  /** How long queries at the old server may take to end after the switch. */
  readonly graceMs?: number
  /** Called before each step. Tests stop the process there, or change a copy. */
  readonly beforeStep?: (state: MoveRow['state']) => Promise<void>
}

/** A move that a worker holds. */
export interface HeldMove {
  readonly move: MoveRow
  readonly services: MoveServices
  /** Aborts when the process stops, the provider cancels, or another worker has claimed the move. */
  readonly signal: AbortSignal
  readonly patienceMs: number
  readonly graceMs: number
}

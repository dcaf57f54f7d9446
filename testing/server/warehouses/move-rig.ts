/** Moves of the warehouse of Harbour Trading between servers. */
import { dataServers, type WarehouseMove } from '@tributary/contract/data-servers'
import type { MoveOptions } from '../../../server/src/access/warehouse/moves/held-move.ts'
import { runMoves } from '../../../server/src/access/warehouse/moves/run-moves.ts'
import type { TestApp } from '../app/test-app.ts'

/** As the worker does, until there is nothing left to do now. */
export async function runDueMoves(app: TestApp, options: Partial<MoveOptions> = {}): Promise<void> {
  await runMoves(app.services, {
    signal: new AbortController().signal,
    leaseMs: 1_000,
    patienceMs: 5_000,
    graceMs: 2_000,
    ...options,
  })
}

/** Starts a move as a superadmin. */
export async function startMove(app: TestApp, serverId: string, keepsReadable = false): Promise<void> {
  await app.as.superadmin.signIn()
  const call = { params: { clientId: app.harbour.id }, body: { serverId, keepsReadable } }
  const { status, body } = await app.as.superadmin.call(dataServers.move, call)
  if (status !== 202) throw new Error(`starting a move answered ${status}: ${JSON.stringify(body)}`)
}

export async function readMove(app: TestApp): Promise<WarehouseMove> {
  await app.as.superadmin.signIn()
  const { body } = await app.as.superadmin.call(dataServers.placement, { params: { clientId: app.harbour.id } })
  if (body.Move === null) throw new Error('The organisation has no move.')
  return body.Move
}

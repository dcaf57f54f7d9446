/** A server with a worker, and connectors whose source people sign in at. */
import { runs } from '@tributary/contract/runs'
import { startWorker, type Worker } from '../../../server/src/worker.ts'
import type { TestApp } from '../app/test-app.ts'
import { until } from './run-driver.ts'

interface SignInWorld extends AsyncDisposable {
  readonly app: TestApp
}

export class SignInRig<World extends SignInWorld> {
  readonly world: World
  readonly clientId: string
  readonly #worker: Worker

  private constructor(world: World, worker: Worker) {
    this.world = world
    this.clientId = world.app.harbour.id
    this.#worker = worker
  }

  static async open<World extends SignInWorld>(world: World): Promise<SignInRig<World>> {
    return new SignInRig(world, await startWorker(world.app.services, { pollMs: 200 }))
  }

  /** The latest run of at least so many, once it has ended. */
  async lastRun(connectorId: string, count: number, withinMs = 60_000) {
    const { app } = this.world
    const [last] = await until(
      async () => {
        // Calls and samples wait for their pace on this clock.
        app.clock.advance(1_000)
        return (await app.as.admin.call(runs.list, { params: { clientId: this.clientId, connectorId } })).body
      },
      (seen) => seen.length >= count && ['COMPLETED', 'FAILED', 'FORBIDDEN'].includes(seen[0]?.Status ?? ''),
      withinMs,
    )
    return last
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.stop()
    await this.world[Symbol.asyncDispose]()
  }
}

/** Afterwards there is no connector, no grant, no app of an organisation, and no sign-in under way. */
export async function forgetSignIns({ store }: Pick<TestApp, 'store'>): Promise<void> {
  await store.across(async (db) => {
    await db.deleteFrom('connectorCompany').execute()
    await db.deleteFrom('authorisation').execute()
    await db.deleteFrom('oauthGrant').execute()
    await db.deleteFrom('oauthApp').execute()
    await db.updateTable('connector').set({ status: 'DELETED' }).execute()
  })
}

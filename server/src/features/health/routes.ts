/** For whoever watches over the process: alive, and able to work. Outside `/api`, without a session. */
import { sql } from 'kysely'
import type { App } from '../../platform/bind.ts'

export function healthRoutes({ http, parts }: App): void {
  http.get('/healthz', async () => ({ status: 'alive' }))
  http.get('/readyz', async () => {
    // Across: the question is whether the database answers at all; migrations ran before we began to listen.
    await parts.store.across((db) => sql`select 1`.execute(db))
    return { status: 'ready' }
  })
}

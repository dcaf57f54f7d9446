/** A store with generated connectors, for tests that count what is read or fired. */
import { Client } from 'pg'
import { inject } from 'vitest'
import { testApp, type TestApp } from '../app/test-app.ts'
import { generateConnectors, type GeneratedSize } from './generate-connectors.ts'

export interface LargeStore extends AsyncDisposable {
  readonly app: TestApp
  /** Sees the rows of all organisations. */
  readonly superuser: Client
}

export async function openLargeStore(size: GeneratedSize): Promise<LargeStore> {
  const app = await testApp()
  const superuser = new Client({
    ...inject('postgres'),
    database: app.connection.database ?? '',
    options: '-c tributary.organisation=*',
  })
  await superuser.connect()
  await generateConnectors(superuser, size)
  return {
    app,
    superuser,
    async [Symbol.asyncDispose]() {
      await superuser.end()
      await app[Symbol.asyncDispose]()
    },
  }
}

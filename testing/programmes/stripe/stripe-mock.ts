/** Stripe's official mock: it answers every call that Stripe's API description allows with a fixture, and refuses others. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { OpenApi } from './declared-types.ts'

export interface StripeMock extends Disposable {
  readonly url: string
  readonly api: OpenApi
  /** @param target with its query */
  get(target: string): Promise<{ readonly status: number; readonly body: unknown }>
}

/** Restricted test keys have this form. */
export const mockKey = 'rk_test_51KeyForTheOfficialMock'

/** @param folder of the module, with the program in it */
export async function startStripeMock(folder: string): Promise<StripeMock> {
  const mock = spawn(join(folder, 'stripe-mock'), ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url = ''
  for await (const line of createInterface(mock.stdout)) {
    const [, address] = /HTTP at address: (\S+)/u.exec(line) ?? []
    if (address === undefined) continue
    url = `http://${address}/v1/`
    break
  }
  mock.stdout.resume()
  return {
    url,
    api: JSON.parse(readFileSync(join(folder, 'module/embedded/openapi/spec3.json'), 'utf8')) as OpenApi,
    async get(target) {
      const reply = await fetch(url + target, { headers: { authorization: `Bearer ${mockKey}` } })
      return { status: reply.status, body: await reply.json() }
    },
    [Symbol.dispose]: () => void mock.kill(),
  }
}

/** Calls to the server: `call('GET /organisations')`. */
import { createClient } from '@tributary/client/create-client'
import { takeEarly } from './early-calls.ts'
import { requestReAuthentication } from './session/re-authentication.ts'
import { renewal, sessionStore } from './session/token-renewal.ts'

export const { call, callPage, callStream } = createClient({
  session: sessionStore,
  renewal,
  reAuthenticate: requestReAuthentication,
  async fetch(address, init, token) {
    const preloaded = init.method === 'GET' ? await takeEarly(address, token) : null
    return preloaded ?? fetch(address, init)
  },
})

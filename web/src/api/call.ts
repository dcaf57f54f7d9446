/** Calls to the server: `call('GET /organisations')`. */
import { createClient } from '@tributary/client/create-client'
import { discardPreloadedResponses, takePreloadedResponse } from './preloaded-requests.ts'
import { requestReAuthentication } from './session/re-authentication.ts'
import { renewal, sessionStore } from './session/token-renewal.ts'

export const { call, callPage, callStream } = createClient({
  session: sessionStore,
  renewal,
  reAuthenticate: requestReAuthentication,
  async fetch(address, init, token) {
    if (init.method !== 'GET') discardPreloadedResponses()
    return (await takePreloadedResponse(address, token)) ?? fetch(address, init)
  },
})

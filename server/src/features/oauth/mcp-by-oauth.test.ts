/** The official client connects to the real server at `/mcp` by OAuth alone: from the refused call to the list of tools. */
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { tokens } from '@tributary/contract/tokens'
import { expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import {
  allow,
  connect,
  fetchFrom,
  switchAssistantsOn,
  TestAssistant,
} from '@tributary/testing/server/identity/test-assistant.ts'

function open(app: TestApp, assistant: TestAssistant) {
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp'), {
    authProvider: assistant,
    fetch: fetchFrom(app),
  })
  return { transport, client: new Client({ name: 'ledger-assistant', version: '1.0.0' }) }
}

test('[SEE-13] the official client is led from the refused call to the consent, connects, lists the tools, and loses them with the connection', async () => {
  await using app = await testApp()
  await switchAssistantsOn(app, app.harbour.id)
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const assistant = new TestAssistant(app)
  const refused = open(app, assistant)
  await expect(refused.client.connect(refused.transport)).rejects.toThrow(UnauthorizedError)
  const address = await allow(app, person, { request: assistant.authorisationUrl?.search.slice(1) ?? '' })
  await refused.transport.finishAuth(address.searchParams.get('code') ?? '')

  const { client, transport } = open(app, assistant)
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('status')
  const [listed] = (await person.client.call(tokens.list)).body
  expect(listed).toMatchObject({ Name: 'Ledger assistant', IsAssistant: true, LastUsedAddress: '127.0.0.1' })

  await person.client.call(tokens.revoke, { params: { accessTokenId: listed?.Id ?? '' } })
  // It has to ask the person again, because its refresh token has ended, too.
  await expect(client.listTools()).rejects.toThrow(UnauthorizedError)
  await client.close()
})

test('[SEE-13] an access token stops at /mcp when its organisation or the provider switches assistants off', async () => {
  await using app = await testApp()
  await switchAssistantsOn(app, app.harbour.id)
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const { access } = await connect(app, person)
  const call = () =>
    app.as.visitor.send('POST', '/mcp', {
      headers: { authorization: `Bearer ${access}`, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
  expect((await call()).status).toBe(200)
  await app.store.across((db) =>
    db.updateTable('setting').set({ value: false }).where('key', '=', 'Assistants').execute(),
  )
  expect([(await call()).status, (await call()).body]).toEqual([
    403,
    expect.objectContaining({ code: 'assistantsOff' }),
  ])
})
